/** Lines of each icon in a square of 24 by 24. */
const paths = {
  ask: 'M4 5h16v11H9l-5 4V5Z M9 9.5h6 M9 12.5h4',
  memory: 'M4 6.5h6l2 2h8v10H4z',
  news: 'M12 4v3 M12 17v3 M4 12h3 M17 12h3 M12 8.5v3.8l2.6 1.6 M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16Z',
  tasks: 'M4.5 7l1.6 1.6L9 5.6 M12 7h8 M4.5 16.5l1.6 1.6L9 15 M12 16.5h8',
  decisions: 'M12 4v16 M12 6h6l2.5 2.5L18 11h-6 M12 13H6.5L4 15.2l2.5 2.3H12',
  projects: 'M4 5h7v7H4z M14 5h6v4h-6z M14 12h6v7h-6z M4 15h7v4H4z',
  team: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Z M3 20c0-3.6 2.6-6 6-6s6 2.4 6 6 M16 11.2a3 3 0 1 0-.8-5.9 M17 14.3c2.5.5 4 2.6 4 5.4',
  money: 'M4 7h16v11H4z M4 11h16 M8 15h3',
  readiness: 'M4 19V9 M9.5 19V5 M15 19v-7 M20 19V8',
  maturity: 'M4 18l5-6 4 3 7-9 M15.5 6H20v4.5',
  menu: 'M4 7h16 M4 12h16 M4 17h16',
  close: 'M6 6l12 12 M18 6L6 18',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Z M15.5 15.5L20 20',
  copy: 'M9 9h10v11H9z M5 15V4h10',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  chevron: 'M9 6l6 6-6 6',
  back: 'M15 6l-6 6 6 6',
  plus: 'M12 5v14 M5 12h14',
  key: 'M14.5 13a4.5 4.5 0 1 0-4.3-3.2L4 16v4h4v-2.5h2.5V15l2-2c.6.1 1.300 0 2 0Z',
  send: 'M5 12h13 M13 6.5l5.500 5.500-5.500 5.500',
  stop: 'M7 7h10v10H7z',
  link: 'M10 14a4 4 0 0 0 6 .4l2.600-2.600a4 4 0 0 0-5.700-5.700L11.500 7.500 M14 10a4 4 0 0 0-6-.4l-2.600 2.600a4 4 0 0 0 5.700 5.700l1.400-1.400',
  history: 'M5 12a7 7 0 1 1 2 4.900 M5 20v-4h4 M12 8.500V12l2.500 1.500',
  warning: 'M12 4.500L3.500 19h17L12 4.500Z M12 10v4 M12 16.500v.2',
  file: 'M6 3.500h8l4 4V20.500H6z M14 3.500v4h4',
  folder: 'M4 6.500h6l2 2h8v10H4z',
  edit: 'M5 19h3.500L19 8.500 15.500 5 5 15.500V19Z',
  hide: 'M4 4l16 16 M10 6.300c.6-.2 1.300-.3 2-.3 4.500 0 7.500 3.500 8.500 6-.4 1-1.200 2.200-2.300 3.300 M6.500 7.800C4.900 9 3.900 10.700 3.500 12c1 2.500 4 6 8.500 6 1.100 0 2.100-.2 3-.5',
  out: 'M10 5H5v14h5 M14 8l4 4-4 4 M18 12H9',
} as const;

export type IconName = keyof typeof paths;

/** A picture beside words. It says nothing that the words do not, so screen readers skip it. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}

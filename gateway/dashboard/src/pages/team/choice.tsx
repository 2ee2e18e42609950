import { Button } from '../../components/button.tsx';

/** Chooses some rows of a list, and says how many those are. */
export function Choice({
  label,
  count,
  isChosen,
  onChoose,
}: {
  label: string;
  count: number;
  isChosen: boolean;
  onChoose: () => void;
}) {
  return (
    <Button kind={isChosen ? 'primary' : 'secondary'} aria-pressed={isChosen} onClick={onChoose}>
      {label} <span>{count}</span>
    </Button>
  );
}

import type { Locator } from 'playwright-core';

/**
 * What is in a part of the page that text of other people must never become: elements that run, load, frame or send
 * something, attributes that run or draw, and links that lead anywhere but to a page.
 */
export function harmfulElements(part: Locator): Promise<string[]> {
  return part.evaluate((root) => {
    const elements = [
      ...['script', 'style', 'link', 'meta', 'base', 'iframe', 'object', 'embed', 'img', 'video', 'audio'],
      ...['source', 'form[action]', 'svg image', 'svg use', 'svg a'],
    ].join(', ');
    // The page's own lists place their rows by these; nothing else has a style.
    const ownStyle = /^(?:(?:flex-basis|height|transform): [\w().]+; ?)+$/;
    const isHarmful = (name: string, value: string) =>
      /^on|^srcset$|^formaction$/.test(name) ||
      (name === 'style' && !ownStyle.test(value)) ||
      (/^(?:href|src|xlink:href)$/.test(name) && /^\s*(?:javascript|vbscript|data|file):/i.test(value));
    const found: string[] = [];
    for (const element of root.querySelectorAll('*')) {
      if (element.matches(elements)) found.push(element.outerHTML.slice(0, 120));
      for (const { name, value } of element.attributes) {
        if (isHarmful(name, value)) found.push(`${element.tagName} ${name}=${value}`.slice(0, 120));
      }
      const href = element.getAttribute('href');
      if (href !== null && !/^https?:$|^mailto:$/.test(element.protocol ?? '')) {
        found.push(`${element.tagName} href=${href}`.slice(0, 120));
      }
    }
    return found;
  });
}

import type { Locator } from 'playwright-core';

/**
 * What is in a part of the page that text of other people must never become: elements that run, load, frame or send
 * something, attributes that run or draw, and links that lead anywhere but to a page, or that hide where they lead.
 */
export function harmfulElements(part: Locator): Promise<string[]> {
  return part.evaluate((root) => {
    const elements =
      'script, style, link, meta, base, iframe, object, embed, form, img, video, audio, source, svg image';
    const found: string[] = [];
    for (const element of root.querySelectorAll('*')) {
      if (element.matches(elements)) found.push(element.outerHTML.slice(0, 120));
      for (const { name, value } of element.attributes) {
        const isHarmful =
          /^on|^style$|^srcset$|^action$/.test(name) || /^\s*(?:javascript|vbscript|data):/i.test(value);
        if (isHarmful) found.push(`${element.tagName} ${name}=${value}`.slice(0, 120));
      }
      const href = element.getAttribute('href');
      if (href === null) continue;
      if (!/^https?:$|^mailto:$/.test(element.protocol ?? '')) found.push(`${element.tagName} href=${href}`);
    }
    return found;
  });
}

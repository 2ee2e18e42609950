/** Names of tags that are left out; what else stands in angle brackets, such as `Map<K, V>`, is shown as text. */
export const htmlElements: ReadonlySet<string> = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body
  br button canvas caption center circle cite code col colgroup data datalist dd defs del details dfn dialog dir div
  dl dt em embed fieldset figcaption figure font footer foreignobject form frame frameset g h1 h2 h3 h4 h5 h6 head
  header hgroup hr html i iframe image img input ins isindex kbd keygen label legend li line link listing main map
  mark marquee math menu menuitem meta meter nav nobr noembed noframes noscript object ol optgroup option output p
  param path picture plaintext portal pre progress q rb rect rp rt rtc ruby s samp script search section select slot
  small source spacer span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead
  time title tr track tt u ul use var video wbr xml xmp`.split(/\s+/),
);

/** What is used here of a bill of materials in CycloneDX. */
interface Bill {
  components: { type: string; group?: string; name: string; version: string; 'bom-ref': string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/**
 * Cuts the bill of what the programs may import to what their bundle contains, by the list of its licences. Node stays: the
 * executables have it inside. Returns the text of the bill. Throws Error if the bill lacks a package of the list.
 */
export function billOfBundle(bill: Bill, licences: string): string {
  const contained = new Set([...licences.matchAll(/^(\S+ \d\S*) \(.+\)$/gm)].map(([, named]) => named));
  const nameOf = ({ group, name, version }: Bill['components'][number]) =>
    `${group === undefined ? '' : `${group}/`}${name} ${version}`;
  const components = bill.components.filter(
    (component) => component.type === 'platform' || contained.has(nameOf(component)),
  );
  for (const component of components) contained.delete(nameOf(component));
  if (contained.size > 0) throw new Error(`The bill of materials lacks ${[...contained].join(', ')}`);
  const left = new Set(bill.components.map((component) => component['bom-ref']));
  for (const component of components) left.delete(component['bom-ref']);
  const dependencies = bill.dependencies
    .filter(({ ref }) => !left.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((named) => !left.has(named)) }));
  return `${JSON.stringify({ ...bill, components, dependencies }, undefined, 2)}\n`;
}

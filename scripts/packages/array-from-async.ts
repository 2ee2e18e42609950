// Node 20 lacks a method that tms uses. The package of tms loads this first.
Array.fromAsync ??= async <Element>(elements: AsyncIterable<Element>) => {
  const array: Element[] = [];
  for await (const element of elements) array.push(element);
  return array;
};

// Node 24 lacks two methods of maps that the service uses. Each program of the package loads this first.
for (const { prototype } of [Map, WeakMap] as unknown as { prototype: Map<unknown, unknown> }[]) {
  prototype.getOrInsertComputed ??= function getOrInsertComputed(key, compute) {
    if (!this.has(key)) this.set(key, compute(key));
    return this.get(key);
  };
  prototype.getOrInsert ??= function getOrInsert(key, value) {
    return this.getOrInsertComputed(key, () => value);
  };
}

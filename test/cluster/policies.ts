import type { Admitted } from './cluster.ts';

interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** Decides as a network plug-in does, for TCP and pods alone, whether policies let one pod connect to a port of another. */
export function letsConnect(
  { policies, namespaces }: { policies: readonly Admitted[]; namespaces: readonly Admitted[] },
  from: Admitted,
  to: Admitted,
  port: number,
): boolean {
  const isPeer = (peer: Admitted, other: Admitted, policy: Admitted) => {
    if (peer.ipBlock !== undefined) return false;
    const namespace = namespaces.find(({ metadata }) => metadata.name === other.metadata.namespace);
    const isThere =
      peer.namespaceSelector === undefined
        ? other.metadata.namespace === policy.metadata.namespace
        : selects(peer.namespaceSelector, namespace.metadata.labels);
    return isThere && selects(peer.podSelector ?? {}, other.metadata.labels);
  };
  const isLet = (direction: 'Ingress' | 'Egress', pod: Admitted, other: Admitted) => {
    const [rulesOf, peersOf] = direction === 'Ingress' ? ['ingress', 'from'] : ['egress', 'to'];
    const own = policies.filter(
      ({ metadata, spec }) =>
        metadata.namespace === pod.metadata.namespace &&
        spec.policyTypes.includes(direction) &&
        selects(spec.podSelector, pod.metadata.labels),
    );
    const rules = own.flatMap((policy) =>
      (policy.spec[rulesOf] ?? []).map((rule: Admitted) => ({
        policy,
        ports: rule.ports,
        peers: rule[peersOf],
      })),
    );
    return (
      own.length === 0 ||
      rules.some(
        ({ policy, ports, peers }) =>
          (ports ?? [{ port, protocol: 'TCP' }]).some(
            (one: Admitted) => one.port === port && one.protocol === 'TCP',
          ) &&
          (peers === undefined || peers.some((peer: Admitted) => isPeer(peer, other, policy))),
      )
    );
  };
  return isLet('Ingress', to, from) && isLet('Egress', from, to);
}

function selects(
  { matchLabels = {}, matchExpressions = [] }: Selector,
  labels: Record<string, string>,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      if (operator !== 'In') throw new Error(`no chart uses ${operator}`);
      return values.includes(labels[key] ?? '');
    })
  );
}

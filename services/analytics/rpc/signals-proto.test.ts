import { create } from '@bufbuild/protobuf';
import { SignalsSchema } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { expect, test } from 'vitest';
import { amountNames, ratioNames } from '../domain/signals.ts';
import { signalsFromProto, signalsToProto } from './signals-proto.ts';

test('every signal of the message has its field in the domain, and comes back as it went', () => {
  const names = SignalsSchema.fields.map(({ name }) => name);
  expect([...ratioNames, ...amountNames].toSorted()).toEqual(names.toSorted());
  const signals = Object.fromEntries(names.map((name, index) => [name, index]));
  expect(signalsFromProto(create(SignalsSchema, signalsToProto(signals)))).toEqual(signals);
});

test('a signal of 0 is measured, one that is unset is not', () => {
  expect(signalsFromProto(create(SignalsSchema, { errorRate: 0 }))).toEqual({ error_rate: 0 });
  expect(signalsFromProto(create(SignalsSchema))).toEqual({});
  expect(signalsFromProto(undefined)).toEqual({});
});

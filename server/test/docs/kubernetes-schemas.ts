/** What the tests use of an object of Kubernetes. */
export type KubernetesObject = {
  apiVersion: string
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  stringData?: Record<string, string>
}

type Validate = ((value: unknown) => boolean) & { errors?: { instancePath: string; keyword: string; params: object }[] }

/**
 * What is wrong with an object by the schemas of Kubernetes, which the package kubernetes-models has as functions. They allow
 * properties that they do not know, but read all others: a property that none of them has read does not exist.
 */
export async function listKubernetesErrors(object: KubernetesObject): Promise<string[]> {
  const { validate } = (await import(`kubernetes-models/_schemas/${schemaName(object)}`)) as { validate: Validate }
  const seen = new Set<string>()
  validate(recordReads(object, '', seen))
  const errors = (validate.errors ?? []).map(
    ({ instancePath, keyword, params }) => `${instancePath}: ${keyword} ${JSON.stringify(params)}`,
  )
  const unknown = listPaths(object, '').filter((path) => !seen.has(path))
  return [...errors, ...unknown.map((path) => `${path}: unknown property`)]
}

/** Such as IoK8sApiNetworkingV1NetworkPolicy for networking.k8s.io/v1. The objects without a group are in the group core. */
function schemaName({ apiVersion, kind }: KubernetesObject): string {
  const [version = '', group = 'core'] = apiVersion.split('/').reverse()
  return ['IoK8sApi', ...[group.replace('.k8s.io', ''), version, kind].map(capitalise)].join('')
}

const capitalise = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

function recordReads(value: unknown, path: string, seen: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get(target, key) {
      const property = `${path}/${String(key)}`
      seen.add(property)
      return recordReads(Reflect.get(target, key), property, seen)
    },
  })
}

function listPaths(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => [`${path}/${key}`, ...listPaths(child, `${path}/${key}`)])
}

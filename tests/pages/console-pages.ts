/** Reads the API as somebody with all roles. */
type Get = (path: string) => Promise<unknown>

/** What the addresses of the pages name. */
export type ExampleIds = {
  computer: number
  group: string
  failingPackage: string
  /** It was tried, and another trial of it waits. */
  triedPackage: string
  upgradedPackage: string
  rollout: string
  task: string
  patch: number
  patchGroup: number
  patchPolicy: number
  principal: number
  webhook: string
  report: string
  variable: number
  vulnerability: string
}

export type ConsolePage = {
  /** The name of its pictures. */
  name: string
  path: (ids: ExampleIds) => string
  /** The colours in which its picture is part of the documentation. */
  pictures?: readonly ('light' | 'dark')[]
}

/** Every page of the console. Tests open each of them, and `npm run screenshots` takes pictures of some. */
export const consolePages: readonly ConsolePage[] = [
  { name: 'overview', path: () => '/', pictures: ['light', 'dark'] },
  { name: 'computers', path: () => '/computers', pictures: ['light'] },
  { name: 'computer', path: ({ computer }) => `/computers/${computer}`, pictures: ['light'] },
  ...['software', 'patches', 'vulnerabilities', 'inventory', 'security', 'issues', 'history', 'variables', 'audit'].map(
    (tab) => ({
      name: `computer-${tab}`,
      path: ({ computer }: ExampleIds) => `/computers/${computer}/${tab}`,
    }),
  ),
  { name: 'groups', path: () => '/groups' },
  { name: 'group', path: ({ group }) => `/groups/${group}`, pictures: ['light'] },
  ...['assignments', 'variables', 'options', 'subgroups', 'why'].map((tab) => ({
    name: `group-${tab}`,
    path: ({ group }: ExampleIds) => `/groups/${group}/${tab}`,
  })),
  { name: 'packages', path: () => '/packages' },
  { name: 'package', path: ({ failingPackage }) => `/packages/${failingPackage}`, pictures: ['light'] },
  { name: 'package-tried', path: ({ triedPackage }) => `/packages/${triedPackage}` },
  { name: 'package-upgraded', path: ({ upgradedPackage }) => `/packages/${upgradedPackage}` },
  { name: 'package-lines', path: () => '/package-lines' },
  { name: 'package-requests', path: () => '/package-requests' },
  { name: 'rollouts', path: () => '/rollouts' },
  { name: 'rollout', path: ({ rollout }) => `/rollouts/${rollout}`, pictures: ['light', 'dark'] },
  { name: 'task', path: ({ task }) => `/tasks/${task}` },
  { name: 'software', path: () => '/software?name=openssl&condition=below&version=3.0.16' },
  { name: 'patches', path: () => '/patches', pictures: ['light'] },
  { name: 'patch-compliance', path: () => '/patches/compliance' },
  { name: 'patch-policies', path: () => '/patches/policies' },
  { name: 'patch-policy', path: ({ patchPolicy }) => `/patch-policies/${patchPolicy}` },
  { name: 'patch-groups', path: () => '/patches/groups' },
  { name: 'patch', path: ({ patch }) => `/patches/${patch}` },
  { name: 'patch-group', path: ({ patchGroup }) => `/patch-groups/${patchGroup}` },
  { name: 'vulnerabilities', path: () => '/vulnerabilities', pictures: ['light'] },
  { name: 'vulnerability', path: ({ vulnerability }) => `/vulnerabilities/${vulnerability}` },
  { name: 'issues', path: () => '/issues', pictures: ['light'] },
  { name: 'issue', path: () => '/issues/failed-deployment' },
  { name: 'history', path: () => '/history' },
  { name: 'reports', path: () => '/reports' },
  { name: 'reports-licences', path: () => '/reports/licences' },
  { name: 'reports-mail-server', path: () => '/reports/mail-server' },
  { name: 'report', path: ({ report }) => `/reports/${report}` },
  { name: 'infrastructure', path: () => '/infrastructure' },
  { name: 'infrastructure-images', path: () => '/infrastructure/images' },
  { name: 'infrastructure-jobs', path: () => '/infrastructure/jobs' },
  { name: 'infrastructure-tags', path: () => '/infrastructure/tags' },
  { name: 'infrastructure-fields', path: () => '/infrastructure/fields' },
  { name: 'infrastructure-variables', path: () => '/infrastructure/variables' },
  { name: 'variable', path: ({ variable }) => `/variables/${variable}` },
  { name: 'principals', path: () => '/admin/principals' },
  { name: 'new-principal', path: () => '/admin/principals/new' },
  { name: 'principal', path: ({ principal }) => `/admin/principals/local/${principal}` },
  { name: 'roles', path: () => '/admin/roles' },
  { name: 'audit', path: () => '/admin/audit', pictures: ['light'] },
  { name: 'enrolment', path: () => '/admin/enrolment' },
  { name: 'approvals', path: () => '/admin/approvals' },
  { name: 'safety', path: () => '/admin/safety' },
  { name: 'webhooks', path: () => '/admin/webhooks' },
  { name: 'webhook', path: ({ webhook }) => `/admin/webhooks/${webhook}` },
  { name: 'events', path: () => '/admin/events' },
  { name: 'desired-state', path: () => '/admin/desired-state' },
  { name: 'desired-state-current', path: () => '/admin/desired-state/current' },
  { name: 'about', path: () => '/admin/about' },
]

/** Finds examples in the data set of the demo: a computer with failures, the package that fails, and so on. */
export async function findExampleIds(get: Get): Promise<ExampleIds> {
  const items = async (path: string) => ((await get(path)) as { items: Record<string, unknown>[] }).items
  const first = async (path: string) => {
    const [item] = await items(path)
    if (!item) throw new Error(`${path} finds nothing.`)
    return item
  }
  const [groups, packages] = [await items('/api/fleet/groups'), await items('/api/fleet/packages?top=200')]
  const rollouts = await items('/api/rollouts')
  const rollout = rollouts.find(({ state }) => state === 'Paused') ?? rollouts[0]
  const failingPackage = String(packages.find(({ name }) => name === 'Time Tracker')?.id)
  return {
    computer: await findComputer(await items('/api/computer/issues/failed-deployment?top=100'), failingPackage, get),
    group: String(groups.find(({ name }) => name === 'Europe')?.id),
    failingPackage,
    triedPackage: String(packages.find(({ name }) => name === 'Browser')?.id),
    upgradedPackage: String((await first('/api/package-upgrades?top=1')).packageId),
    rollout: String(rollout?.rolloutId),
    task: String((await first('/api/tasks?top=1')).trackingId),
    patch: Number((await first('/api/patches?top=1')).patchId),
    patchGroup: Number((await first('/api/pmgroup?top=1')).id),
    patchPolicy: Number((await first('/api/patch-policies?nameContains=Applications')).id),
    principal: ((await get('/api/admin/local-principals')) as { id: number }[])[0]?.id ?? 0,
    variable: Number((await first('/api/fleet/variables?search=CostCentre&top=1')).varId),
    vulnerability: String((await first('/api/vulnerabilities?top=1')).key),
    webhook: String((await first('/api/webhooks?top=1')).id),
    report: String((await first('/api/reports?top=1')).id),
  }
}

/** Finds a computer on which this package has failed, and which has PDF Viewer. On others, other packages fail by chance. */
async function findComputer(failed: Record<string, unknown>[], packageId: string, get: Get): Promise<number> {
  for (const { id } of failed) {
    const deployments = (await get(`/api/computer/${id}/software-deployment`)) as Record<string, unknown>[]
    const hasFailed = deployments.some(({ softwareId, status }) => softwareId === packageId && status === 'Failed')
    const hasViewer = deployments.some(({ name, version }) => name === 'PDF Viewer' && version === '24.2')
    if (hasFailed && hasViewer) return Number(id)
  }
  throw new Error('On no computer with PDF Viewer has the package failed.')
}

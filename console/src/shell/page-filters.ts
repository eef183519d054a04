const computers = ['operatingSystem', 'healthStatus', 'agentStatus', 'lastContact', 'connection', 'issue', 'patchAge']
const properties = ['missingSeverity', 'nextContact', 'osVersion', 'model', 'tag', 'customField', 'groupId']
const list = ['search', 'sort', 'descending', 'columns', 'density']
const software = ['software', 'softwareBelow', 'softwareAtLeast', 'softwareVersion']

/** The filters and the other parameters that the address of each page can have. An address with another one is refused. */
const pageFilters: { [path: string]: readonly string[] | undefined } = {
  '/computers': [...computers, ...properties, ...software, ...list],
  '/groups/:id?/:tab?': ['open', 'search', 'deploy'],
  '/packages': ['search', 'operational', 'hashState', 'kind', 'failing', 'job', 'import'],
  '/packages/:id': ['job', 'import', 'cause', 'try'],
  '/package-lines': ['search'],
  '/package-requests': ['state'],
  '/rollouts': ['state', 'kind', 'group', 'computers', 'mine'],
  '/rollouts/:id': ['ring', 'state', 'exitCode', 'cause'],
  '/tasks/:id': ['state', 'exitCode', 'cause'],
  '/patches': ['search', 'severity', 'age', 'state', 'catalogImport'],
  '/patches/compliance': ['group', 'severity', 'age', 'state', 'catalogImport'],
  '/patches/groups': ['catalogImport'],
  '/patches/:id': ['scan'],
  '/vulnerabilities': ['search', 'severity', 'exploited', 'fix', 'state'],
  '/software': ['name', 'condition', 'version'],
  '/history': ['mode', 'result', 'computer', 'group', 'package', 'after', 'before'],
  '/issues/:kind?': ['cause'],
  '/admin/principals': ['search', 'kind', 'state', 'sort'],
  '/admin/principals/new': ['kind'],
  '/admin/roles': ['search'],
  '/admin/audit': ['principalId', 'operation', 'target', 'after', 'before'],
  '/admin/events': ['types', 'after'],
  '/admin/approvals': ['state'],
}

const membersTab = ['member']

/** What the tabs of a page have besides; '' is the tab that the address does not name. */
const tabFilters: { [path: string]: { [tab: string]: readonly string[] | undefined } | undefined } = {
  '/computers/:id/:tab?': {
    history: ['view'],
    inventory: ['section', 'name'],
    patches: ['status', 'why'],
    software: ['state', 'why'],
    variables: ['name', 'why'],
  },
  '/groups/:id?/:tab?': {
    '': membersTab,
    members: membersTab,
    options: ['package'],
    variables: ['scope', 'variable'],
    why: ['package'],
  },
  '/infrastructure/:tab?': { variables: ['search', 'kind'] },
}

export const filtersOf = (path: string, tab = '') => [...(pageFilters[path] ?? []), ...(tabFilters[path]?.[tab] ?? [])]

/** All pages and tabs with their filters. */
export const listPageFilters = (): { path: string; tab: string; names: readonly string[] }[] =>
  [...new Set([...Object.keys(pageFilters), ...Object.keys(tabFilters)])].flatMap((path) =>
    [...new Set(['', ...Object.keys(tabFilters[path] ?? {})])].map((tab) => ({
      path,
      tab,
      names: filtersOf(path, tab),
    })),
  )

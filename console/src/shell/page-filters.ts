const computers = ['operatingSystem', 'healthStatus', 'agentStatus', 'lastContact', 'connection', 'issue', 'patchAge']
const software = ['software', 'softwareBelow', 'softwareAtLeast', 'softwareVersion']

/** The filters and the other parameters that the address of each page can have. An address with another one is refused. */
export const pageFilters: { [path: string]: readonly string[] | undefined } = {
  '/computers': [...computers, ...software, 'missingSeverity', 'groupId', 'search', 'sort', 'descending', 'columns'],
  '/computers/:id/:tab?': ['view', 'status', 'state', 'section', 'name', 'why'],
  '/groups/:id?/:tab?': ['open', 'search', 'member', 'scope', 'variable', 'package', 'deploy'],
  '/packages': ['search', 'operational', 'hashState', 'kind', 'failing', 'job', 'import'],
  '/packages/:id': ['job', 'import', 'cause', 'try'],
  '/package-lines': ['search'],
  '/package-requests': ['state'],
  '/rollouts': ['state', 'kind', 'group', 'mine'],
  '/rollouts/:id': ['ring', 'state', 'exitCode', 'cause'],
  '/tasks/:id': ['state', 'exitCode', 'cause'],
  '/patches': ['search', 'severity', 'age', 'state', 'catalogImport'],
  '/patches/compliance': ['group'],
  '/patches/:id': ['scan'],
  '/vulnerabilities': ['search', 'severity', 'exploited', 'fix', 'state'],
  '/software': ['name', 'condition', 'version'],
  '/history': ['mode', 'result', 'computer', 'group', 'package', 'after', 'before'],
  '/infrastructure/:tab?': ['search', 'kind'],
  '/issues/:kind?': ['cause'],
  '/admin/principals': ['search', 'kind', 'state', 'sort'],
  '/admin/principals/new': ['kind'],
  '/admin/roles': ['search'],
  '/admin/audit': ['principalId', 'operation', 'target', 'after', 'before'],
  '/admin/events': ['types', 'after'],
  '/admin/approvals': ['state'],
}

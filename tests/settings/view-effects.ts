import type { Effects } from './effects-type.ts'

const filters = [
  ...['search', 'operatingSystem[]', 'healthStatus[]', 'agentStatus[]', 'lastContact[]', 'connection[]', 'issue[]'],
  ...['patchAge[]', 'missingSeverity[]', 'nextContact[]', 'osVersion[]', 'model[]', 'tag[]', 'customField[]'],
  ...['groupId[]', 'software', 'softwareBelow', 'softwareAtLeast', 'softwareVersion'],
].map((name) => `filters.${name}`)

const listedByName = 'tests/command-line/views.test.ts: a view is saved, listed, used, shared and deleted by its name'

/** Who sees a view. */
export const viewEffects: Effects = {
  'createView, updateView': {
    'sharedWith[]':
      'views/views.test.ts: who has one of the roles sees a shared view, may not change it, and loses sight of it when it is private again',
  },
}

/** What a view shows. */
export const viewDescriptions: Effects = {
  'createView, updateView': {
    [`name, ${filters.join(', ')}, descending`]: listedByName,
    'sort, columns[], density':
      'console/test/pages/computers.test.ts: a view keeps filters, columns, order and density under a name',
  },
  createView: { page: listedByName },
}

const number = (n: number) => n.toLocaleString('en')
const count = (n: number, one: string, many: string) => `${number(n)} ${n === 1 ? one : many}`
const changes = (n: number) => count(n, 'change', 'changes')
const computers = (n: number) => count(n, 'computer', 'computers')

/** Desired state as code. Keys of sections are names of the API. */
export const enDesiredState = {
  title: 'Desired state',
  intro: 'Compare files under version control with this installation, and apply the differences.',
  tabs: { apply: 'Plan and apply', current: 'Current state' },

  files: 'Files',
  drop: 'Drop the files or the folder of a desired state anywhere on this page.',
  chooseFiles: 'Choose files',
  chooseFolder: 'Choose folder',
  removeFile: (name: string) => `Remove ${name}`,
  removeAll: 'Remove all files',
  otherFiles: (n: number) =>
    n === 1
      ? '1 other file was left out: only .yaml, .yml and .json are read.'
      : `${number(n)} other files were left out: only .yaml, .yml and .json are read.`,
  tooLarge: (name: string) => `${name} is larger than 32 MB and was left out.`,
  mistake: 'The files contain a mistake',
  documentTooLarge:
    'The files are larger than the service accepts in one request. An administrator of the service can raise MUSTER_BODY_LIMIT.',
  prune: 'Also remove what the files do not list',
  pruneHint: 'In the sections that the files have. Packages, roots, system variables and protected principals stay.',
  makePlan: 'Show plan',

  plan: 'Plan',
  actions: { add: 'Created', change: 'Changed', remove: 'Removed' },
  actionOf: { add: 'Create', change: 'Change', remove: 'Remove' },
  blocked: 'Blocked',
  noChanges: 'Nothing to do',
  noChangesHint: 'The installation already is what the files say.',
  isBlocked: (n: number) =>
    `${changes(n)} cannot be made. Nothing is applied until the files or the installation are corrected.`,
  missingRoles: (roles: string) => `To apply this plan, you also need ${roles}.`,
  blockedBy: (reason: string) => `Blocked: ${reason}`,
  rehearsed: (n: number) =>
    `Tried out and rolled back: ${n === 1 ? 'the change succeeds' : `all ${changes(n)} succeed`}.`,
  rehearsedPartly: (n: number, total: number) =>
    `Tried out and rolled back: the first ${number(n)} of ${changes(total)} succeed. Trying the others would take too long.`,
  work: (group: string, items: number | null, n: number) =>
    `A deployment to ${group} would then create ${items === null ? 'very many work items' : count(items, 'work item', 'work items')} for ${computers(n)}.`,
  search: 'Search',
  searchHint: 'Name or section',
  show: 'Show changes',
  showMore: (n: number, left: number) => `Show ${number(n)} more of ${number(left)}`,
  columns: {
    action: 'Action',
    object: 'Object',
    fields: 'Values',
    computers: 'Computers',
    section: 'Section',
    name: 'In files',
    objects: 'Objects',
  },
  fromTo: (before: string, after: string) => `${before} → ${after}`,
  members: (joining: number, leaving: number) => `${number(joining)} join, ${number(leaving)} leave`,

  apply: 'Apply',
  applyHint:
    'Exactly this plan is applied, step by step. If anything else would be changed, because somebody has changed something in the meantime, nothing is applied.',
  applyChanges: (n: number) => `Apply ${changes(n)}`,
  continue: 'Continue',
  notApplicable: 'This plan cannot be applied as it is.',
  secretsHint: 'The plan writes secrets that files only name. Enter their values.',
  showSecret: (reference: string) => `Show the value of ${reference}`,
  typeRemovals: (n: number) => `${count(n, 'object', 'objects')} will be removed. Type ${n} to confirm`,
  progress: (made: number, total: number) => `${number(made)} of ${changes(total)} made`,
  stop: 'Stop',
  stopping: 'Stopping after this step …',
  stopped: (made: number, total: number) =>
    `${number(made)} of ${changes(total)} are made and stay. Continue to make the others.`,
  done: (n: number) => `${changes(n)} made`,
  toActivate: 'Software reaches computers with the next deployment to these groups:',
  toGroups: 'Open groups',
  toAudit: 'Open audit trail',
  stale: 'The installation has changed since this plan was made, and nothing was applied',
  planAgain: 'Plan again',
  refused: (name: string) => `Refused: ${name}`,
  needsApproval: (name: string) => `${name} waits for the approval of a second administrator. Continue afterwards.`,

  current: 'What is recorded now',
  currentHint:
    'The sections that you may read, without ids, times and secrets. Keep the file under version control, change it, and plan it here or with muster catalog.',
  download: 'Download state.yaml',
  noSections: 'Nothing to show',
  noSectionsHint: 'Your roles allow none of the sections.',
  firstObjects: (n: number, total: number) => `The first ${number(n)} of ${number(total)} objects. The file has all.`,

  sections: {
    tags: 'Tags',
    variableDefinitions: 'Variables',
    variableConfigurations: 'Variable configurations',
    packages: 'Packages',
    softwareClasses: 'Software classes',
    customFields: 'Custom fields',
    groups: 'Groups',
    groupPackages: 'Packages of groups',
    groupSoftwareClasses: 'Software classes of groups',
    groupVariableConfigurations: 'Variable configurations of groups',
    groupLanguagePacks: 'Language packs of groups',
    groupAgentTemplates: 'Agent templates of groups',
    groupOperatingSystems: 'Operating systems of groups',
    groupPxeBootImages: 'Boot images of groups',
    groupOptions: 'Distribution options',
    groupVariables: 'Values of groups',
    groupCollections: 'Collections of groups',
    patches: 'Patches',
    patchGroups: 'Patch management groups',
    patchGroupPatches: 'Patches of patch management groups',
    patchApprovals: 'Approved patches',
    patchGroupAssignments: 'Assignments of patch management groups',
    groupRules: 'Rules of groups',
    groupConvergence: 'Convergence of groups',
    groupKinds: 'Kinds of groups',
    webhooks: 'Webhooks',
    principals: 'Principals',
  } as Record<string, string>,
}

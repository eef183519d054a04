import { applyDocument, exportDocument, planDocument } from '../catalog/document.ts'
import { command, detailedExitCode, dryRunOption, expectOption } from '../command.ts'
import { ExitCode, UsageError } from '../errors.ts'

// Loaded only where they are needed: other commands need neither files nor YAML.
const loadFolder = () => import('../catalog/folder.ts')
const isFolder = async (path: string) => path !== '-' && (await import('@muster/desired-state')).isStateFolder(path)

const description =
  'A folder has the whole desired state: definitions, groups with what is assigned to them, patch management groups, ' +
  'webhooks and roles. A file whose name ends in .yaml, .yml or .json is a catalog document, with the definitions alone.'

const pathArgument = ['<path>', 'The folder; or a catalog document, - for the standard input'] as const
const pruneOption = ['--prune', 'Folder: also remove objects that its sections do not list; asks before'] as const
const removeOption = ['--remove-missing', 'Document: also remove entries that its sections do not list'] as const

const plan = command({
  name: 'catalog plan',
  summary: 'Show what applying a desired state would change, on how many computers, and the work it would cause',
  description,
  arguments: [pathArgument],
  options: [
    pruneOption,
    ['--plan <file>', 'Folder: also write the plan to this file, to apply exactly it'],
    removeOption,
    [detailedExitCode, 'Exit with 2 if there are changes, with 0 if there are none, and with 1 for everything else'],
  ],
  examples: [
    ['muster catalog plan state', 'Nothing is changed'],
    [
      'muster catalog plan state --detailed-exitcode',
      'A pipeline sees by the exit code whether there is something to apply',
    ],
    [
      'muster catalog plan state --prune --plan plan.json',
      'Keeps the plan for muster catalog apply state --plan plan.json',
    ],
    ['muster catalog plan catalog.yaml', 'The definitions alone'],
  ],
  operations: ['planDesiredState', 'applyDesiredState', 'planCatalog'],
  async run(call) {
    const [path = ''] = call.args
    const isOfFolder = await isFolder(path)
    if (!isOfFolder) refuseFolderOptions(call.options)
    const hasChanges = await (isOfFolder ? (await loadFolder()).planFolder(call, path) : planDocument(call, path))
    if (hasChanges && call.options.detailedExitcode) throw new ExitCode(2)
  },
})

const apply = command({
  name: 'catalog apply',
  summary: 'Apply a desired state',
  description: `${description}\n\nWhat is planned is applied step by step; an interrupted command can be repeated.`,
  arguments: [pathArgument],
  options: [
    pruneOption,
    ['--yes', 'Folder: remove any number of objects without asking'],
    ['--expect-removals <count>', 'Folder: remove exactly this many objects without asking'],
    ['--plan <file>', 'Folder: apply exactly the plan in this file'],
    ['--secret-folder <folders...>', 'Folder: further folders of files that secrets may name; else those below it'],
    removeOption,
    expectOption,
    dryRunOption,
  ],
  examples: [
    ['muster catalog apply state', 'Shows the plan and applies it'],
    ['muster catalog apply state --prune', 'Asks before it removes objects'],
    ['muster catalog apply state --prune --yes', 'The same in a script'],
    ['muster catalog apply catalog.yaml', 'All definitions, or nothing'],
  ],
  operations: ['planDesiredState', 'applyDesiredState', 'applyCatalog'],
  async run(call) {
    const [path = ''] = call.args
    if (!(await isFolder(path))) {
      refuseFolderOptions(call.options)
      return applyDocument(call, path)
    }
    const { applyFolder, planFolder } = await loadFolder()
    await (call.options.dryRun ? planFolder(call, path) : applyFolder(call, path))
  },
})

const exportCatalog = command({
  name: 'catalog export',
  summary: 'Write the desired state to a folder, or the definitions to a file or to the standard output',
  description,
  arguments: [['[path]', 'The folder, or a file: JSON if its name ends in .json, YAML if it ends in .yaml']],
  examples: [
    ['muster catalog export state', 'To keep it under version control'],
    ['muster catalog export catalog.yaml', 'The definitions alone'],
  ],
  operations: ['getDesiredState', 'getCatalog'],
  async run(call) {
    const [path] = call.args
    if (path !== undefined && (await isFolder(path))) return (await loadFolder()).exportFolder(call, path)
    return exportDocument(call, path)
  },
})

function refuseFolderOptions({ prune, plan: planFile, yes, expectRemovals }: Record<string, unknown>): void {
  if (prune || planFile !== undefined || yes || expectRemovals !== undefined)
    throw new UsageError('--prune, --plan, --yes and --expect-removals need a folder. A document has --remove-missing.')
}

export const catalog = [plan, apply, exportCatalog]

import { visibleLines } from '@muster/text'
import { type Call, command, dryRunOption } from '../command.ts'
import { formatCount } from '../output/counts.ts'

// Loaded only where they are needed: other commands need neither files nor YAML.
const loadRecipes = async (call: Call) => {
  const { readRecipes } = await import('../recipes/read-recipes.ts')
  const { planRecipes } = await import('../recipes/plan-recipes.ts')
  const { files } = call.options
  return planRecipes(call, await readRecipes(call.names, files === undefined ? undefined : String(files)))
}

const description =
  'A recipe is a file with the manifest of a package, and where the file of the package comes from: from a Debian or RPM repository, ' +
  'from an address that the service may download, or from this computer. Keep recipes in a folder under version control. All of them ' +
  'are checked before anything is imported.'

const pathsArgument = ['<paths...>', 'Folders with recipes, or single recipes: .yaml, .yml or .json'] as const
const filesOption = [
  '--files <folder>',
  'Folder with the files of packages; by default, they are beside the recipes',
] as const

const plan = command({
  name: 'packages recipes plan',
  summary: 'Show which packages recipes would add or change',
  description,
  arguments: [pathsArgument],
  options: [filesOption],
  examples: [
    ['muster packages recipes plan recipes', 'Nothing is changed'],
    ['muster packages recipes plan recipes --files Downloads', 'With installers that were downloaded before'],
  ],
  operations: ['planPackageRecipes'],
  run: showPlan,
})

const apply = command({
  name: 'packages recipes apply',
  summary: 'Make packages of recipes, and change those that differ from them',
  description: `${description}\n\nPackages that are as their recipes describe them stay as they are. New and changed ones have to be released.`,
  arguments: [pathsArgument],
  options: [filesOption, dryRunOption],
  examples: [
    ['muster packages recipes apply recipes', 'Shows the plan and makes the packages'],
    ['muster packages recipes apply recipes/debian/curl.yaml', 'A single one'],
  ],
  operations: [
    'planPackageRecipes',
    'addRepositoryPackage',
    'downloadPackage',
    'listPackageUploads',
    'createPackageUpload',
    'getPackageUpload',
    'continuePackageUpload',
    'importPackageUpload',
    'getPackageImport',
  ],
  async run(call) {
    if (call.options.dryRun) return showPlan(call)
    const planned = await loadRecipes(call)
    const { describePlan, requireUnblocked, toJson } = await import('../recipes/plan-recipes.ts')
    const { applyRecipes } = await import('../recipes/apply-recipes.ts')
    call.terminal.note(`${visibleLines(describePlan(planned))}\n`)
    requireUnblocked(planned)
    const made = await applyRecipes(call, planned)
    call.output.result(
      toJson(planned),
      made === 0
        ? 'Nothing to apply: all packages are as the recipes describe them.'
        : `Applied: ${formatCount(made, 'package')}.`,
    )
  },
})

async function showPlan(call: Call): Promise<void> {
  const planned = await loadRecipes(call)
  const { describePlan, requireUnblocked, toJson } = await import('../recipes/plan-recipes.ts')
  call.output.result(toJson(planned), describePlan(planned))
  requireUnblocked(planned)
}

export const packageRecipes = [plan, apply]

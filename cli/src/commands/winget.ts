import { answerOf, type components } from '@muster/client'
import { visibleLine } from '@muster/text'
import { type Call, command } from '../command.ts'
import { CommandFailure } from '../errors.ts'
import type { Column } from '../output/output.ts'
import { addWingetPackage, personNeeded, wingetOptions } from './winget-package.ts'

type Found = components['schemas']['WingetSearchItem']
type Installer = components['schemas']['WingetPackage']

const foundColumns: readonly Column<Found>[] = [
  ['identifier', ({ identifier }) => identifier],
  ['latest', ({ latestVersion }) => latestVersion],
  ['versions', ({ versionCount }) => versionCount],
]

const search = command({
  name: 'packages winget search',
  summary: 'Find packages in the mirror of winget manifests',
  description:
    'The mirror is a folder of the package store, by default winget, in the layout of the public repository of winget.',
  arguments: [['<text>', 'Text in the identifier, in upper or lower case']],
  examples: [['muster packages winget search 7zip', 'Packages whose identifier contains 7zip']],
  operations: ['searchWingetPackages'],
  async run({ args: [text = ''], client, output, terminal }) {
    const query = { search: text, top: 200 }
    const answer = await answerOf(client.GET('/api/winget/packages', { params: { query } }))
    if (!answer.hasMirror)
      throw new CommandFailure('The package store has no mirror of winget manifests: see MUSTER_WINGET_MIRROR.')
    await output.rows(foundColumns, answer.items)
    if (!answer.isComplete) terminal.note('There are more packages than are listed. Search for a longer text.\n')
  },
})

const choice = wingetOptions.filter(([name]) => !name.startsWith('--installer'))
const versionOption = ['--package-version <version>', 'This version; without it, the latest one'] as const

const installerColumns: readonly Column<Installer>[] = [
  ['architecture', ({ architecture }) => architecture],
  ['type', ({ installerType }) => installerType],
  ['language', ({ locale }) => locale],
  ['file', ({ fileName }) => fileName],
  ['download', ({ downloadFault }) => downloadFault ?? 'possible'],
]

const show = command({
  name: 'packages winget show',
  summary: 'Show which packages a winget manifest of the mirror becomes',
  arguments: [['<identifier>', 'PackageIdentifier of winget']],
  options: [versionOption, ...choice],
  examples: [['muster packages winget show 7zip.7zip -o json', 'With the manifests, and the reasons of the rest']],
  operations: ['getWingetPackage'],
  async run(call) {
    const answer = await read(call)
    const { output, terminal } = call
    if (output.format === 'json') return output.json(answer)
    await output.rows(installerColumns, answer.packages)
    for (const { architecture, installerType, text } of answer.rest)
      terminal.note(`${visibleLine(`${architecture} ${installerType}: ${text}`)}\n`)
  },
})

const add = command({
  name: 'packages winget add',
  summary: 'Make a package of a winget manifest of the mirror',
  description:
    'Shows the package that the manifest becomes, and asks. The service downloads the installer if its host is listed in ' +
    'MUSTER_PACKAGE_HOSTS; otherwise give the file with --installer.',
  arguments: [['<identifier>', 'PackageIdentifier of winget']],
  options: [
    versionOption,
    ...wingetOptions,
    ['--set <property=value...>', 'Correct lines of the package; lists and objects as JSON'],
    ['--yes', 'Accept the package without a question, unless a line of it is a guess'],
    ['--overwrite', 'Replace the content of a package that exists'],
  ],
  examples: [['muster packages winget add 7zip.7zip --yes', 'The latest version in the mirror']],
  operations: [
    ...(['getWingetPackage', 'downloadPackage', 'listPackageUploads', 'createPackageUpload'] as const),
    ...(['getPackageUpload', 'continuePackageUpload', 'importPackageUpload', 'getPackageImport'] as const),
  ],
  async run(call) {
    const { identifier, version, packages, rest } = await read(call)
    const [first] = packages
    if (!first) throw personNeeded(identifier, rest)
    const { installer } = call.options
    const file = installer === undefined ? undefined : String(installer)
    if (file === undefined && first.downloadFault !== null)
      throw new CommandFailure(
        `The service does not download the installer. ${first.downloadFault} Or use --installer.`,
      )
    await addWingetPackage(call, `${identifier} ${version}`, first, file)
  },
})

function read({ args: [identifier = ''], client, options }: Call) {
  const { packageVersion, architecture, locale } = options
  const query = {
    ...(packageVersion !== undefined && { version: String(packageVersion) }),
    ...(architecture !== undefined && { architecture: String(architecture) as Installer['architecture'] }),
    ...(locale !== undefined && { locale: String(locale) }),
  }
  return answerOf(client.GET('/api/winget/packages/{identifier}', { params: { path: { identifier }, query } }))
}

export const wingetCommands = [search, show, add]

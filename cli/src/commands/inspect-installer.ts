import type { InstallerFacts, ProposedLine } from '@muster/installers'
import { visibleLines } from '@muster/text'
import { command } from '../command.ts'
import { CommandFailure } from '../errors.ts'
import type { Column } from '../output/output.ts'

type Row = Pick<ProposedLine, 'property' | 'value' | 'confidence' | 'reason'>

const columns: readonly Column<Row>[] = [
  ['property', ({ property }) => property],
  ['value', ({ value }) => (typeof value === 'string' ? value : JSON.stringify(value))],
  ['confidence', ({ confidence }) => confidence],
  ['reason', ({ reason }) => reason],
]

export const inspectInstaller = command({
  name: 'packages inspect',
  summary: 'Read an installer, and propose the manifest of a package, without the service',
  description:
    'Reads MSI, EXE, MSIX, deb, rpm, zip, tar, scripts and AppImages. The file is never run. Check the lines that are a guess.',
  arguments: [['<file>', 'The installer']],
  examples: [
    ['muster packages inspect Setup.exe', 'What the manifest would be, and why'],
    ['muster packages inspect app.msi -o json | jq .manifest', 'The manifest alone'],
  ],
  operations: [],
  async runLocally({ args: [file = ''], output, terminal }) {
    // Loaded only here: other commands need none of it.
    const { InstallerFault, proposeManifest, readInstaller } = await import('@muster/installers')
    const facts = await readInstaller(file).catch((error: Error) => {
      throw error instanceof InstallerFault ? new CommandFailure(`${file}: ${error.message}`) : error
    })
    const { lines, requirements, ...proposal } = proposeManifest(facts)
    if (output.format === 'json') return output.json({ facts, ...proposal, lines, requirements })
    await output.rows(columns, [
      ...lines.map(({ property, isImplied, ...rest }) => ({
        ...rest,
        property: isImplied ? `(${property})` : property,
      })),
      ...requirements.map(({ kind, ...rest }) => ({ ...rest, property: `needs ${kind}` })),
    ])
    const remarks = [...proposal.notes, ...proposal.warnings, ...describeScripts(facts)]
    if (remarks.length > 0) terminal.note(`${visibleLines(remarks)}\n`)
  },
})

/** What the installer runs by itself, for a person to read. */
function describeScripts(facts: InstallerFacts): string[] {
  const scripts = 'scripts' in facts ? facts.scripts : []
  return scripts.flatMap(({ name, text, isComplete }) => [
    '',
    `${name}:`,
    ...text.trimEnd().replaceAll('\t', '    ').split('\n'),
    ...(isComplete ? [] : ['(not complete)']),
  ])
}

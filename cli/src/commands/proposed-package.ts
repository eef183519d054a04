import type { ProposedLine, ProposedManifest } from '@muster/installers'
import { visibleLines } from '@muster/text'
import type { Call } from '../command.ts'
import { CommandFailure, UsageError } from '../errors.ts'

/** The manifest of a package, and the name that the file has in it. */
export type PackageContent = { manifest: Record<string, unknown>; fileName?: string }

/**
 * Proposes the package of an installer, and returns it once it is accepted. Undefined if the file is no installer that can be read.
 * The file is read here and not by the service, so what is accepted depends on nobody else.
 */
export async function acceptProposal(call: Call, path: string): Promise<PackageContent | undefined> {
  const proposal = await propose(path)
  if (typeof proposal !== 'string') return acceptPackage(call, path, proposal)
  parseCorrections(call.options.set)
  call.terminal.note(`${visibleLines([`No package is proposed for ${path}: ${proposal}`])}\n`)
  return undefined
}

/** A package of an installer as it is shown. The service sends lines without the types of their values. */
export type ProposedPackage = Pick<ProposedManifest, 'fileName' | 'requirements' | 'warnings'> & {
  notes?: readonly string[]
  manifest: object
  lines: readonly ShownLine[]
}

type ShownLine = Pick<ProposedLine, 'property' | 'confidence' | 'reason'> & { value?: unknown; isImplied?: boolean }

/** Shows a package with the corrections of the person, and returns it once it is accepted. */
export async function acceptPackage(
  { terminal, options }: Call,
  subject: string,
  proposal: ProposedPackage,
): Promise<Required<PackageContent>> {
  const corrections = parseCorrections(options.set)
  const manifest = structuredClone(proposal.manifest) as Record<string, unknown>
  for (const { names, value } of corrections) put(manifest, names, value)
  const corrected = corrections.map(({ names }) => names.join('.'))
  terminal.note(`${visibleLines(describe(subject, proposal, corrected))}\n`)
  await requireAcceptance({ terminal, options }, openGuesses(proposal.lines, corrected))
  return { manifest, fileName: proposal.fileName }
}

/** The proposal, or why there is none. */
async function propose(path: string): Promise<ProposedManifest | string> {
  // Loaded only here: other commands need none of it.
  const { InstallerFault, proposeManifest, readInstaller } = await import('@muster/installers')
  try {
    const facts = await readInstaller(path)
    const proposal = proposeManifest(facts)
    const hasScripts = 'scripts' in facts && facts.scripts.length > 0
    return hasScripts
      ? { ...proposal, warnings: [...proposal.warnings, `muster packages inspect ${path} shows what they do.`] }
      : proposal
  } catch (error) {
    if (error instanceof InstallerFault) return error.message
    throw error
  }
}

type Correction = { names: string[]; value: unknown }

function parseCorrections(given: unknown): Correction[] {
  return ((given as string[] | undefined) ?? []).map((text) => {
    const [, property, value = ''] = /^([A-Za-z]\w*(?:\.\w+)*)=(.*)$/s.exec(text) ?? []
    if (property === undefined) throw new UsageError(`--set needs property=value, such as name=firefox, not ${text}`)
    return { names: property.split('.'), value: parseValue(property, value) }
  })
}

/** Lists and objects are JSON, everything else is a text. */
function parseValue(property: string, text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`--set ${property} is not valid JSON: ${(error as Error).message}`)
  }
}

function put(manifest: Record<string, unknown>, names: readonly string[], value: unknown): void {
  let parent = manifest
  for (const name of names.slice(0, -1)) {
    const child = Object.hasOwn(parent, name) ? parent[name] : undefined
    const object = typeof child === 'object' && child !== null ? child : {}
    Object.defineProperty(parent, name, { value: object, enumerable: true, configurable: true, writable: true })
    parent = object as Record<string, unknown>
  }
  const last = names.at(-1) ?? ''
  Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true })
}

const isWithin = (property: string, parent: string) => property === parent || property.startsWith(`${parent}.`)

const isCorrected = (property: string, corrected: readonly string[]) =>
  corrected.some((one) => isWithin(property, one) || isWithin(one, property))

function describe(subject: string, proposal: ProposedPackage, corrected: readonly string[]): string[] {
  const { lines, requirements, warnings, notes = [] } = proposal
  const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return [
    `Package of ${subject}:`,
    ...lines.map(({ property, value, confidence, reason, isImplied }) => {
      const name = isImplied ? `(${property})` : property
      return isCorrected(property, corrected)
        ? `  ${name}: corrected with --set`
        : `  ${name}: ${shown(value)} [${confidence}: ${reason}]`
    }),
    ...requirements.map(({ kind, value }) => `  needs ${kind}: ${value}`),
    ...notes,
    ...warnings,
  ]
}

const openGuesses = (lines: readonly ShownLine[], corrected: readonly string[]) =>
  lines
    .filter(({ property, confidence }) => confidence === 'guess' && !isCorrected(property, corrected))
    .map(({ property }) => property)

async function requireAcceptance(
  { terminal: { ask }, options }: Pick<Call, 'terminal' | 'options'>,
  guesses: readonly string[],
): Promise<void> {
  if (options.yes === true && guesses.length === 0) return
  if (options.yes === true)
    throw new CommandFailure(
      `--yes accepts no guess. Say what is right with --set property=value for: ${guesses.join(', ')}. Nothing was uploaded.`,
    )
  if (!ask)
    throw new UsageError(
      'Nobody can accept the proposal here. Repeat the command with --yes, or with --manifest, or with --upload-only.',
    )
  const answer = await ask('Create this package? Type yes to continue: ')
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailure('Nothing was uploaded.')
}

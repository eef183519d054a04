import { createHash, randomUUID } from 'node:crypto'
import type {
  Contact,
  ContactAnswer,
  PackageCommand,
  PackageDetection,
  Power,
  StartedWork,
  WorkDeadline,
  WorkItem,
  WorkKind,
  WorkPackage,
  WorkPatch,
  WorkRollback,
} from '../src/protocol.ts'

type Declared = NonNullable<StartedWork['declared']>

export type GivenWork = {
  kind?: WorkKind
  commands?: Record<string, Partial<PackageCommand>>
  /** What the server states in place of commands that agents of earlier versions would not understand. */
  declared?: {
    commands?: Record<string, Partial<PackageDetection>>
    msi?: NonNullable<Declared['msi']>
    source?: NonNullable<Declared['source']>
  }
  files?: Record<string, string | Buffer>
  /** As they are, in place of what follows from files. */
  fileList?: { path: string; size: number; sha256: string }[]
  depots?: { url: string }[]
  depotsAfterServer?: { url: string }[]
  variables?: Record<string, string>
  collections?: StartedWork['collections']
  secrets?: Record<string, string>
  patches?: WorkPatch[]
  rollbacks?: WorkRollback[]
  package?: Partial<WorkPackage>
  power?: Power
  postponable?: WorkItem['postponable']
  userDeadline?: WorkDeadline
  traceparent?: string
  /** Of announced work: whether its content is downloaded now. */
  isFetched?: boolean
}

export const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** The item with its content, as a contact brings it. */
export function withContent(item: WorkItem, given: GivenWork): ContactAnswer['work'][number] {
  if (item.package === null) return item
  const { commands, declared, files } = startedOf(given)
  return { ...item, content: { commands, ...(declared && { declared }), files } }
}

export function packageOf({ package: given }: GivenWork): WorkPackage {
  const named = {
    name: 'greeting',
    version: '1.2.0',
    kind: 'Software',
    operatingSystems: ['Linux'],
  } satisfies Partial<WorkPackage>
  return { packageId: '11', contentHash: sha256(randomUUID()), ...named, ...given }
}

export function startedOf({ commands, declared, files, fileList, depots, depotsAfterServer, ...given }: GivenWork) {
  const defaults = { timeLimitMinutes: 1, successCodes: [0], rebootCodes: [] }
  const list = Object.entries(files ?? {}).map(([path, content]) => ({
    path,
    size: Buffer.byteLength(content),
    sha256: sha256(content),
  }))
  const complete = (given: Record<string, Partial<PackageDetection>>) =>
    Object.fromEntries(Object.entries(given).map(([name, one]) => [name, { ...defaults, ...one }]))
  return {
    commands: complete(commands ?? { install: { shell: declared ? 'exit 1' : 'true' } }),
    ...(declared && { declared: { ...declared, commands: complete(declared.commands ?? {}) } }),
    files: fileList ?? list,
    depots: depots ?? [],
    depotsAfterServer: depotsAfterServer ?? [],
    variables: given.variables ?? {},
    collections: given.collections ?? {},
    secrets: given.secrets ?? {},
    patches: given.patches ?? [],
    ...(given.rollbacks && { rollbacks: given.rollbacks }),
  }
}

/** What a contact says about announced work: that there is some, or to an agent that asks for it, what. */
export function upcomingOf(announced: readonly { item: WorkItem; given: GivenWork }[], { preDownloads }: Contact) {
  if (!preDownloads) return announced.length > 0 ? { hasUpcoming: true } : {}
  const known = new Set(preDownloads.map(({ workId }) => workId))
  const work = announced.map(({ item, given }) => ({
    ...{ workId: item.workId, package: item.package, fetch: given.isFetched ?? true },
    ...(!known.has(item.workId) && { files: startedOf(given).files }),
  }))
  return { upcoming: { work, depots: [], depotsAfterServer: [] } }
}

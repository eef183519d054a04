import { formatTraceparent, parseTraceparent } from '@muster/http/trace-context'
import { log } from '../log.ts'
import type {
  ContactAnswer,
  PackageCommand,
  PackageCommands,
  PackageDetection,
  PackageFile,
  PackageUninstall,
  Power,
  StartedWork,
  Upcoming,
  UpcomingWork,
  WorkDeadline,
  WorkDeclaration,
  WorkItem,
  WorkPackage,
  WorkPatch,
  WorkRollback,
} from '../protocol.ts'
import {
  clamped,
  flag,
  InvalidValue,
  ifValid,
  instant,
  integerIn,
  listOf,
  mapOf,
  numberIn,
  objectOf,
  oneOf,
  openObjectOf,
  optional,
  orNull,
  type Reader,
  text,
  withDefault,
} from './readers.ts'

/** Ids become parts of paths and of the environment of commands, where anything but a number could mean something else. */
export const id = integerIn(0, Number.MAX_SAFE_INTEGER)

const dayMinutes = 24 * 60

/** A lease is renewed at a third of it. */
export const leaseSeconds = clamped(1, 24 * 60 * 60)

const value = text(200_000)
const shortText = text(1_000)
const commandText = text(32_000, /./s, 'a command')
const codes = listOf(integerIn(-(2 ** 31), 2 ** 32 - 1), 1_000)
const timeLimitMinutes = numberIn(0, dayMinutes)

const commandFields = {
  argv: optional(listOf(text(32_000), 1_000, 1)),
  shell: optional(commandText),
  timeLimitMinutes,
  successCodes: codes,
  rebootCodes: codes,
}
const command = openObjectOf<PackageCommand>(commandFields)

/** A declared form of detection: its fields are texts. What uses it refuses forms and fields that it does not know. */
const form = <T>() => optional(mapOf(text(8_000), 20)) as Reader<T>
const detection = openObjectOf<PackageDetection>({
  ...commandFields,
  registry: form<PackageDetection['registry']>(),
  file: form<PackageDetection['file']>(),
  msi: form<PackageDetection['msi']>(),
  dpkg: form<PackageDetection['dpkg']>(),
  rpm: form<PackageDetection['rpm']>(),
  program: form<PackageDetection['program']>(),
})
const uninstall = openObjectOf<PackageUninstall>({ ...commandFields, program: form<PackageUninstall['program']>() })

const changes = {
  install: optional(command),
  update: optional(command),
  uninstall: optional(command),
  before: optional(command),
  after: optional(command),
}
const commands = openObjectOf<PackageCommands>({ ...changes, detect: optional(command) })

type Source = NonNullable<WorkDeclaration['source']>
/** What uses it refuses texts that are not names, versions, addresses or keys. */
export const startedSource = openObjectOf<Source>({
  package: shortText,
  version: optional(shortText),
  minVersion: optional(shortText),
  repository: optional(
    openObjectOf<NonNullable<Source['repository']>>({
      url: text(2_000),
      suite: optional(shortText),
      components: optional(listOf(shortText, 100)),
      key: text(100_000),
    }),
  ),
  keepVersion: optional(flag),
  allowDowngrade: withDefault(flag, false),
  timeLimitMinutes,
})
const declared = openObjectOf<WorkDeclaration>({
  commands: openObjectOf<WorkDeclaration['commands']>({
    ...changes,
    uninstall: optional(uninstall),
    detect: optional(detection),
  }),
  msi: optional(
    openObjectOf<NonNullable<WorkDeclaration['msi']>>({
      file: shortText,
      properties: withDefault(mapOf(text(8_000), 1_000), {}),
      timeLimitMinutes,
    }),
  ),
  source: optional(startedSource),
})

/** What an agent downloads before its time is bounded, whatever the server announces. */
export const maxUpcoming = { items: 100, files: 100_000 }

const files = listOf(
  objectOf<PackageFile>({
    path: text(2_000),
    size: integerIn(0, Number.MAX_SAFE_INTEGER),
    sha256: text(64, /^[\da-f]{64}$/, 'a SHA-256'),
  }),
  100_000,
)

/** An address for files. Other parts of it could carry what the depot does not need, or hide where it leads. */
const depotUrl: Reader<string> = (given, at) => {
  const url = typeof given === 'string' && given.length <= 2_000 && URL.canParse(given) ? new URL(given) : undefined
  const isPlain = url && ['http:', 'https:'].includes(url.protocol) && !/[@?#]/.test(given as string)
  if (url && isPlain) return given as string
  throw new InvalidValue(at, 'the address of a depot')
}
/** The other sources have the same files, so a depot with a wrong address is left out. */
const depot = ifValid(objectOf<StartedWork['depots'][number]>({ url: depotUrl }), ({ message }) =>
  log(`A depot is ignored: ${message}.`),
)
const depots: Reader<StartedWork['depots']> = (list, at) =>
  listOf(depot, 1_000)(list, at).filter((one) => one !== undefined)

const environment = {
  depots,
  depotsAfterServer: withDefault(depots, []),
  variables: mapOf(value, 100_000),
  collections: withDefault(mapOf(listOf(mapOf(value, 1_000), 100_000), 10_000), {}),
}

const patch = objectOf<WorkPatch>({
  patchId: id,
  productId: id,
  key: shortText,
  name: shortText,
  product: shortText,
  files: listOf(text(2_000), 10_000),
})

const rollback = objectOf<WorkRollback>({ patchId: id, productId: id, key: shortText })

export const startedWork = objectOf<StartedWork>({
  leaseSeconds,
  commands,
  declared: optional(declared),
  files,
  ...environment,
  patches: withDefault(listOf(patch, 100_000), []),
  rollbacks: optional(listOf(rollback, 10_000)),
  secrets: withDefault(mapOf(value, 10_000), {}),
})

export const workEnvironment = objectOf<NonNullable<ContactAnswer['environment']>>(environment)

const workPackage = objectOf<WorkPackage>({
  packageId: text(100),
  name: shortText,
  version: shortText,
  kind: oneOf<WorkPackage['kind']>(),
  operatingSystems: listOf(shortText, 1_000),
  contentHash: text(200),
})

/** -1 and 0 do not wait for the user. Reminders less than a minute apart would fill the screen. */
const timeoutMinutes = clamped(-1, 30 * dayMinutes)
const reminderMinutes: Reader<number> = (given, at) => Math.ceil(clamped(0, dayMinutes)(given, at))
const power = objectOf<Power>({
  action: oneOf<Power['action']>(),
  timeoutMinutes,
  reminderMinutes,
  withinSeconds: optional(clamped(0, 30 * dayMinutes * 60)),
})

const timeOfDay = text(5, /^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day')
/** An exact name, and never a path or a pattern. */
const programName = text(100, /^\w[\w.+ -]*$/, 'the name of a program')
const userDeadline = objectOf<WorkDeadline>({
  deadlineUtc: instant,
  quietHours: orNull(objectOf<NonNullable<WorkDeadline['quietHours']>>({ start: timeOfDay, end: timeOfDay })),
  closePrograms: listOf(programName, 20),
  // Whatever the server asks for, people have a minute to save their work.
  noticeMinutes: clamped(1, 4 * 60),
})

const upcomingWork = objectOf<UpcomingWork>({
  workId: id,
  package: workPackage,
  fetch: flag,
  files: optional(files),
})

export const upcoming = objectOf<Upcoming>({
  work: listOf(upcomingWork, maxUpcoming.items),
  depots,
  depotsAfterServer: depots,
})

const traceparent: Reader<string> = (given, at) => {
  const trace = parseTraceparent(given)
  if (trace) return formatTraceparent(trace)
  throw new InvalidValue(at, 'a trace')
}

export const workItem = objectOf<WorkItem>({
  workId: id,
  attempt: integerIn(0, 2 ** 31 - 1),
  kind: oneOf<WorkItem['kind']>(),
  leaseSeconds,
  package: orNull(workPackage),
  postponable: objectOf<WorkItem['postponable']>({ remaining: clamped(0, 1_000), untilUtc: orNull(instant) }),
  hidden: flag,
  forced: flag,
  power: orNull(power),
  userDeadline: optional(userDeadline),
  // Only for logs, so one that is not valid is left out.
  traceparent: ifValid(traceparent),
  // Without it, the work is started by a request, whose invalid answer is the result of this work alone.
  content: ifValid(objectOf<NonNullable<WorkItem['content']>>({ commands, declared: optional(declared), files })),
})

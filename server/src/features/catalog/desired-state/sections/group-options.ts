import { sql } from 'kysely'
import { type DistributionCommand, toCommandMask, toCommandNames } from '../../../distribution/commands.ts'
import { formatSchedule, parseSchedule, ScheduleError } from '../../../distribution/schedule.ts'
import { parseUserDeadline, type StoredUserDeadline, toUserDeadline } from '../../../distribution/user-deadline.ts'
import type { DesiredGroup } from '../../api/desired-state/document-schemas.ts'
import { groupEntry, groupReference, ofGroup, packageReference, requireDifferent } from '../group-entries.ts'
import type { PackageNames } from '../package-names.ts'
import type { StateObject, StateSection } from '../state-section.ts'

type Options = NonNullable<DesiredGroup['options']>[number]

type Fields = {
  commands: DistributionCommand[]
  schedule: string
  revokeCount: number
  wol: boolean
  revokeDate: string | null
  optionalDate: string | null
  userDeadline: StoredUserDeadline | null
  preDownload: boolean
}

type Row = Omit<Fields, 'commands' | 'revokeDate' | 'optionalDate'> & {
  path: string
  package_id: string | null
  dist_commands: number
  revoke_date: Date | null
  optional_date: Date | null
}

/** The distribution options that groups have themselves: of the whole group, and of packages in it. */
export const groupOptionsSection: StateSection = {
  name: 'groupOptions',
  property: 'groups',
  readRole: 'group.read',
  async readCurrent(db, packages) {
    const { rows } = await sql<Row>`
      select own.path, stored.package_id, stored.dist_commands, stored.schedule, stored.revoke_count as "revokeCount",
        stored.wol, stored.revoke_date, stored.optional_date, stored.user_deadline as "userDeadline",
        stored.pre_download as "preDownload"
      from distribution_options stored join permanent_groups own on own.id = stored.group_id
      order by lower(own.path), stored.package_id nulls first`.execute(db)
    return rows.flatMap(({ path, package_id, dist_commands, revoke_date, optional_date, ...options }) => {
      const label = package_id === null ? undefined : packages.findById(package_id)?.label
      if (package_id !== null && label === undefined) return []
      return toObject(path, label, {
        ...options,
        commands: toCommandNames(dist_commands),
        schedule: normalise(options.schedule),
        revokeDate: revoke_date?.toISOString() ?? null,
        optionalDate: optional_date?.toISOString() ?? null,
      })
    })
  },
  readDocument: ({ groups }, { packages }) =>
    groups &&
    requireDifferent(
      'groups',
      groups.flatMap(({ path, options = [] }) =>
        options.map((one) => toObject(path, one.package && packages.labelOf(one.package), toFields(one))),
      ),
    ),
  writeDocument(objects, document, packages) {
    for (const [path, ofPath] of Map.groupBy(objects, ({ details }) => (details as Details).path))
      groupEntry(document, path).options = ofPath
        .map(({ details, fields }) => ({ ...(details as Details), fields: fields as Fields }))
        .sort((a, b) => rankOf(a.label, packages) - rankOf(b.label, packages))
        .map(({ label, fields }) => toOptions(label, fields, packages))
  },
  blockersOf({ after }) {
    const fault = findFault(String(after?.fields.schedule ?? ''))
    return fault === undefined ? [] : [`its schedule is not valid: ${fault}`]
  },
  toRequests: (changes, { idOf, packages }) =>
    changes.map(({ object, after }) => {
      const { path, label } = object.details as Details
      const target = {
        params: { id: idOf('groups', path.toLowerCase()) },
        query: label === undefined ? {} : { packageId: packages.find(label)?.id },
      }
      if (!after) return { operation: 'removeDistributionOptions', ...target }
      const { schedule, ...fields } = after.fields as Fields
      return { operation: 'setDistributionOptions', ...target, body: { ...fields, scheduleString: schedule } }
    }),
}

type Details = { path: string; label: string | undefined }

function toObject(path: string, label: string | undefined, fields: Fields): StateObject {
  return {
    key: ofGroup(path, label ?? ''),
    name: label === undefined ? path : `${path} ← ${label}`,
    fields,
    groups: [path],
    needs: [groupReference(path), ...(label === undefined ? [] : [packageReference(label)])],
    details: { path, label } satisfies Details,
  }
}

function toFields({
  commands,
  schedule = '',
  revokeCount = 0,
  wol = false,
  revokeDate,
  optionalDate,
  userDeadline,
  preDownload = false,
}: Options): Fields {
  return {
    revokeCount,
    wol,
    commands: toCommandNames(toCommandMask(commands)),
    schedule: normalise(schedule),
    revokeDate: revokeDate?.toISOString() ?? null,
    optionalDate: optionalDate?.toISOString() ?? null,
    userDeadline: parseUserDeadline(userDeadline),
    preDownload,
  }
}

function toOptions(label: string | undefined, fields: Fields, packages: PackageNames): Options {
  const reference = label === undefined ? undefined : packages.find(label)?.reference
  const { commands, schedule, revokeCount, wol, revokeDate, optionalDate, userDeadline, preDownload } = fields
  return {
    ...(reference && { package: reference }),
    commands,
    ...(schedule !== '' && { schedule }),
    ...(revokeCount > 0 && { revokeCount }),
    ...(wol && { wol }),
    ...(revokeDate !== null && { revokeDate: new Date(revokeDate) }),
    ...(optionalDate !== null && { optionalDate: new Date(optionalDate) }),
    ...(userDeadline !== null && { userDeadline: toUserDeadline(userDeadline) }),
    ...(preDownload && { preDownload }),
  }
}

/** The options of the whole group come first. */
function rankOf(label: string | undefined, packages: PackageNames): number {
  const found = label === undefined ? undefined : packages.find(label)
  return found ? packages.rankOf(found) : -1
}

/** One spelling for equal schedules. One that is not valid stays as it is, and blocks the change. */
const normalise = (schedule: string): string =>
  findFault(schedule) === undefined ? formatSchedule(parseSchedule(schedule)) : schedule

function findFault(schedule: string): string | undefined {
  try {
    parseSchedule(schedule)
  } catch (error) {
    if (error instanceof ScheduleError) return error.message
    throw error
  }
  return undefined
}

import type { Static } from '../../../platform/schema.ts'
import { cvePattern } from '../documents/vulnerability-document.ts'
import type { ExportedException, VexSubject } from './exported-exceptions.ts'
import type { CsafVex } from './schemas.ts'
import { acceptedUntil, allPackages } from './statements.ts'

type Vulnerability = Static<typeof CsafVex>['vulnerabilities'][number]

const idOf = ({ url }: ExportedException) => url ?? allPackages

/** The document about exceptions, of which there must be one at least. `namespace` is an address that stands for the publisher. */
export function writeCsafVex(
  subject: VexSubject,
  exceptions: readonly ExportedException[],
  namespace: string,
): Static<typeof CsafVex> {
  const date = new Date(Math.max(...exceptions.map(({ createdUtc }) => createdUtc.getTime())))
  const { groupId, computerId } = subject.scope
  return {
    document: {
      category: 'csaf_vex',
      csaf_version: '2.0',
      publisher: { category: 'user', name: 'Muster', namespace },
      title: `Exceptions of vulnerabilities: ${subject.name}`,
      tracking: {
        id: `muster-vex-${groupId ?? computerId ?? 'fleet'}`,
        status: 'final',
        version: '1',
        initial_release_date: date,
        current_release_date: date,
        revision_history: [{ date, number: '1', summary: 'The exceptions that are in force' }],
      },
    },
    product_tree: { full_product_names: listProducts(subject, exceptions) },
    vulnerabilities: [...Map.groupBy(exceptions, (one) => one.vulnerability)].map(([key, all]) =>
      toVulnerability(key, all),
    ),
  }
}

function listProducts({ name }: VexSubject, exceptions: readonly ExportedException[]) {
  const byId = new Map(exceptions.map((one) => [idOf(one), one]))
  return [...byId].map(([id, { url, package: named, packageVersion }]) =>
    url === null
      ? { name: `${name}: all packages`, product_id: id }
      : {
          name: [named, packageVersion].filter((word) => word !== null).join(' '),
          product_id: id,
          product_identification_helper: { purl: url },
        },
  )
}

function toVulnerability(key: string, all: readonly ExportedException[]): Vulnerability {
  const [accepted, others] = [
    all.filter(({ status }) => status === 'Accepted'),
    all.filter(({ status }) => status !== 'Accepted'),
  ]
  const absent = others.filter(({ status }) => status === 'FalsePositive')
  const until = accepted.flatMap(({ expiresUtc }) => expiresUtc ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0]
  const note = (title: string, text: string) => ({ category: 'other' as const, title, text })
  const approvers = [...new Set(all.map(({ approvedBy }) => approvedBy))].join(', ')
  return {
    ...(cvePattern.test(key) ? { cve: key } : { ids: [{ system_name: 'Advisory', text: key }] }),
    notes: [note('muster:approvedBy', approvers), ...(until ? [note(acceptedUntil, until.toISOString())] : [])],
    product_status: {
      ...(others.length > 0 && { known_not_affected: others.map(idOf) }),
      ...(accepted.length > 0 && { known_affected: accepted.map(idOf) }),
    },
    ...(absent.length > 0 && {
      flags: [{ label: 'vulnerable_code_not_present' as const, product_ids: absent.map(idOf) }],
    }),
    ...(others.length > 0 && {
      threats: others.map((one) => ({ category: 'impact' as const, details: one.reason, product_ids: [idOf(one)] })),
    }),
    ...(accepted.length > 0 && {
      remediations: accepted.map((one) => ({
        category: 'no_fix_planned' as const,
        details: one.reason,
        product_ids: [idOf(one)],
      })),
    }),
  }
}

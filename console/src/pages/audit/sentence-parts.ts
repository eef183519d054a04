import type { AuditEntry } from '../../api/client.ts'
import type { AuditSentence } from '../../texts/audit-sentence.ts'

type NamedObject = AuditEntry['names'][number]

/** A part of a sentence: a text, the person, objects by their names, or a value without a name. */
export type SentencePart = { text: string } | { who: string } | { objects: NamedObject[] } | { value: string }

/** Fills a sentence with what the entry contains. A placeholder without a value shows the path of the resource. */
export function sentenceParts(sentence: AuditSentence, entry: AuditEntry): SentencePart[] {
  const { body: sent } = entry.request as { body?: unknown }
  const body =
    typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? (sent as Record<string, unknown>) : {}
  const text = typeof sentence === 'string' ? sentence : sentence({ body, status: entry.status })
  return text
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') ? partOf(part.slice(1, -1), entry, body) : { text: part }))
}

function partOf(placeholder: string, entry: AuditEntry, body: Record<string, unknown>): SentencePart {
  if (placeholder === 'who') return { who: entry.principalDisplayName ?? entry.principalName }
  const ofKind = entry.names.filter(({ kind }) => kind === placeholder)
  if (ofKind.length > 0) return { objects: ofKind }
  const value = body[placeholder]
  const named = entry.names.filter(({ id }) => id === String(value))
  if (named.length > 0) return { objects: named }
  return { value: value === undefined || value === null ? entry.target : String(value) }
}

const pages: Record<string, (id: string) => string> = {
  Computer: (id) => `/computers/${id}`,
  Group: (id) => `/groups/${id}`,
  Package: (id) => `/packages/${id}`,
  PmGroup: (id) => `/patch-groups/${id}`,
  PatchPolicy: (id) => `/patch-policies/${id}`,
  Patch: (id) => `/patches/${id}`,
  Rollout: (id) => `/rollouts/${id}`,
  LocalPrincipal: (id) => `/admin/principals/local/${id}`,
  Principal: (id) => `/admin/principals/provider/${id}`,
  EnrolmentToken: () => '/admin/enrolment',
}

/** The page of an object, if it has one. */
export const pageOf = ({ kind, id }: NamedObject): string | undefined => pages[kind]?.(id)

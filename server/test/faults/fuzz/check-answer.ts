import { inflateSync } from 'node:zlib'
import type { FuzzRequest } from './build-request.ts'
import type { FuzzOperation } from './documents.ts'
import type { FuzzAnswer } from './send.ts'

/** The parser of HTTP answers these before the request has an operation. */
const beforeRouting: Record<number, string> = {
  400: 'InvalidRequest',
  405: 'MethodNotAllowed',
  414: 'UriTooLong',
  417: 'ExpectationFailed',
  431: 'HeadersTooLarge',
}

/** Why the answer breaks the promises of the service; undefined if it keeps them. */
export function findViolation(request: FuzzRequest, answer: FuzzAnswer): string | undefined {
  const { status, headers } = answer
  if (status === 503) return headers['retry-after'] ? undefined : 'The answer 503 has no Retry-After.'
  if (isNotOffered(request, answer)) return undefined
  if (status >= 500) return `The answer is ${status}.`
  if (request.method === 'HEAD' || status === 304) return undefined
  if (request.surface === 'fusion') return findFusionViolation(answer)
  if (request.operation) return findDeclarationViolation(request.operation, answer)
  const canBeEmpty = request.origin?.answers[status]?.canBeEmpty && answer.text === ''
  return status >= 400 && !canBeEmpty ? findProblemViolation(answer) : undefined
}

/** The protocol of foreign agents wants this status for tasks that a server does not have. */
export function isNotOffered({ surface }: FuzzRequest, { status, json }: FuzzAnswer): boolean {
  return surface === 'fusion' && status === 501 && (json as { code?: unknown })?.code === 'NotOffered'
}

function findDeclarationViolation(operation: FuzzOperation, answer: FuzzAnswer): string | undefined {
  const { status } = answer
  const declared = operation.answers[status]
  const { code } = (answer.json ?? {}) as { code?: unknown }
  if (!declared) return beforeRouting[status] === code ? undefined : `The status ${status} (${code}) is not declared.`
  const type = answer.headers['content-type']?.split(';')[0] ?? ''
  const types = Object.keys(declared.validators)
  if (types.length === 0) return answer.text === '' ? undefined : `The answer ${status} declares no body.`
  if (declared.canBeEmpty && answer.text === '') return undefined
  if (!types.includes(type)) return `The answer ${status} has the type ${type} instead of ${types}.`
  const validate = declared.validators[type]
  if (validate && !validate(answer.json)) {
    const [error] = validate.errors ?? []
    return `The answer ${status} violates its schema: ${error?.instancePath} ${error?.message}`
  }
  const isProblem = type === 'application/problem+json'
  if (isProblem && !declared.codes.includes(String(code))) return `The code ${code} is not declared for ${status}.`
  return undefined
}

function findProblemViolation({ status, headers, json, text }: FuzzAnswer): string | undefined {
  // Errors of tokens follow RFC 6749.
  if (typeof (json as { error?: unknown })?.error === 'string') return undefined
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('application/problem+json')) return `The answer ${status} is ${type}, not a problem.`
  const problem = json as Record<string, unknown> | undefined
  const isSound =
    problem?.status === status && /^\w+$/.test(String(problem.code)) && typeof problem.message === 'string'
  return isSound ? undefined : `The answer ${status} is not a problem: ${text.slice(0, 200)}`
}

/** Foreign agents get packed XML, or JSON. */
function findFusionViolation({ status, headers, bytes, json }: FuzzAnswer): string | undefined {
  const type = headers['content-type'] ?? ''
  if (/json/.test(type)) return typeof json === 'object' && json !== null ? undefined : 'The answer is not JSON.'
  if (status >= 400) return `The answer ${status} is ${type}, not JSON.`
  if (bytes[0] !== 0x78) return `The answer ${status} is neither JSON nor packed XML.`
  return inflateSync(bytes).toString().includes('<REPLY>') ? undefined : `The answer ${status} is not a reply.`
}

import { compareSchemas, type SchemaComparison } from './compare-schemas.ts'
import type { ApiDocument, Content, DescribedOperation, Parameter, Response } from './documents.ts'

export type ComparisonOptions = {
  /** The day, such as `2026-11-19`: from its sunset on, a deprecated operation may be missing. */
  today: string
}

/** One sentence for each change with which a program that was written for the old description fails. */
export function findBreaks(before: ApiDocument, after: ApiDocument, { today }: ComparisonOptions): string[] {
  const sentences = new Set<string>()
  const report = (sentence: string) => void sentences.add(sentence)
  const shared = { old: before, new: after, report }
  const comparison: Comparison = {
    report,
    old: before,
    new: after,
    request: { ...shared, direction: 'request', compared: new Set() },
    answer: { ...shared, direction: 'answer', compared: new Set() },
  }
  const newOperations = operationsOf(after)
  for (const [route, { operation: old, label }] of operationsOf(before)) {
    const now = newOperations.get(route)
    if (now) compareOperations(comparison, label, old, now.operation)
    else if (!hasEnded(old, today)) report(`${label} was removed.`)
  }
  return [...sentences]
}

type Comparison = {
  report(sentence: string): void
  old: ApiDocument
  new: ApiDocument
  request: SchemaComparison
  answer: SchemaComparison
}

const hasEnded = ({ deprecated, 'x-sunset': sunset }: DescribedOperation, today: string) =>
  deprecated === true && sunset !== undefined && sunset <= today

/** The operations by method and path. Callers do not see the names of parameters in paths. */
function operationsOf({ paths }: ApiDocument) {
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const label = `${operation.operationId} (${method.toUpperCase()} ${path})`
      return [`${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`, { operation, label }] as const
    }),
  )
  return new Map(entries)
}

function compareOperations(
  comparison: Comparison,
  label: string,
  before: DescribedOperation,
  after: DescribedOperation,
): void {
  const { report } = comparison
  if (before.operationId !== after.operationId) report(`${label} has another operationId: ${after.operationId}.`)
  compareAccess(comparison, label, before, after)
  compareParameters(comparison, label, before, after)
  compareBodies(comparison, label, before, after)
  compareAnswers(comparison, label, before.responses, after.responses)
  compareProblems(comparison, label, before.responses, after.responses)
}

function compareAccess(
  { report }: Comparison,
  label: string,
  before: DescribedOperation,
  after: DescribedOperation,
): void {
  if (before.security?.length === 0 && after.security?.length !== 0) report(`${label} requires a token now.`)
  const rolesOf = ({ 'x-required-role': role, 'x-also-required-roles': others = [] }: DescribedOperation) =>
    [role ?? [], others].flat()
  const known = rolesOf(before)
  for (const role of rolesOf(after)) if (!known.includes(role)) report(`${label} requires the role ${role} now.`)
}

function compareParameters(
  { report, request, old, new: current }: Comparison,
  label: string,
  before: DescribedOperation,
  after: DescribedOperation,
): void {
  const newParameters = parametersOf(after, current)
  const oldParameters = parametersOf(before, old)
  for (const [key, parameter] of oldParameters) {
    const now = newParameters.get(key)
    const name = `${parameter.in} parameter ${parameter.name}`
    if (!now) {
      report(`${label} no longer has the ${name}.`)
      continue
    }
    if (now.required && !parameter.required) report(`${label} requires the ${name} now.`)
    compareSchemas(request, `${label}: the ${name}`, parameter.schema, now.schema)
  }
  for (const [key, { in: place, name, required }] of newParameters)
    if (required && !oldParameters.has(key)) report(`${label} requires the ${place} parameter ${name} now.`)
}

/** Parameters in paths are known by their position. */
function parametersOf({ parameters = [] }: DescribedOperation, { components }: ApiDocument): Map<string, Parameter> {
  let position = 0
  const resolved = parameters.flatMap(
    ({ $ref, ...parameter }) => ($ref ? components.parameters?.[$ref.split('/').at(-1) ?? ''] : parameter) ?? [],
  )
  return new Map(
    resolved.map((parameter) => {
      const name = parameter.in === 'path' ? position++ : parameter.name.toLowerCase()
      return [`${parameter.in} ${name}`, parameter]
    }),
  )
}

function compareBodies(
  { report, request }: Comparison,
  label: string,
  before: DescribedOperation,
  after: DescribedOperation,
): void {
  const [oldBody, newBody] = [before.requestBody, after.requestBody]
  if (oldBody && !newBody) report(`${label} no longer takes a body.`)
  if (newBody?.required && !oldBody?.required) report(`${label} requires a body now.`)
  if (oldBody && newBody)
    compareContents(oldBody.content, newBody.content, {
      onMissing: (type) => report(`${label} no longer takes a body of the type ${type}.`),
      onBoth: (old, now) => compareSchemas(request, `${label}: its request`, old, now),
    })
}

type Responses = Record<string, Response>

const isSuccess = (status: string) => status.startsWith('2')

function compareAnswers({ report, answer }: Comparison, label: string, before: Responses, after: Responses): void {
  for (const status of Object.keys(after).filter(isSuccess))
    if (!before[status]) report(`${label} can answer with the status ${status}, which callers do not know.`)
  for (const [status, old] of Object.entries(before).filter(([one]) => isSuccess(one))) {
    const now = after[status]
    if (!now) {
      report(`${label} no longer answers with the status ${status}.`)
      continue
    }
    for (const header of Object.keys(old.headers ?? {}))
      if (!now.headers?.[header]) report(`${label} no longer has the header ${header} in its answer ${status}.`)
    if (!old.content && now.content) report(`${label} has a body in its answer ${status}, and had none before.`)
    compareContents(old.content ?? {}, now.content ?? {}, {
      onMissing: (type) => report(`${label} no longer has a body of the type ${type} in its answer ${status}.`),
      onBoth: (oldSchema, newSchema) => compareSchemas(answer, `${label}: its answer ${status}`, oldSchema, newSchema),
    })
  }
}

type SchemaOf = NonNullable<Content[string]['schema']>

function compareContents(
  before: Content,
  after: Content,
  on: { onMissing(type: string): void; onBoth(before: SchemaOf, after: SchemaOf): void },
): void {
  for (const [type, { schema = {} }] of Object.entries(before)) {
    const now = after[type]
    if (now) on.onBoth(schema, now.schema ?? {})
    else on.onMissing(type)
  }
}

/** Programs decide by the code of a problem, or by its status. Which problems there are may change. */
function compareProblems({ report }: Comparison, label: string, before: Responses, after: Responses): void {
  const newStatuses = statusesByCode(after)
  for (const [code, statuses] of statusesByCode(before))
    for (const status of newStatuses.get(code) ?? [])
      if (!statuses.includes(status))
        report(`${label} answers with the status ${status} for ${code}, and not ${statuses.join(' or ')}.`)
}

function statusesByCode(responses: Responses): Map<string, string[]> {
  const statuses = new Map<string, string[]>()
  for (const [status, { 'x-problem-codes': codes = [] }] of Object.entries(responses))
    for (const code of codes) statuses.set(code, [...(statuses.get(code) ?? []), status])
  return statuses
}

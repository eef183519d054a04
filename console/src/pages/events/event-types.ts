/** What the AsyncAPI document says about each type of event. */
type EventTypes = {
  /** Types, and the beginnings of types that stand for all of them, such as `muster.computer.*`. */
  names: string[]
  summaries: ReadonlyMap<string, string>
}

type AsyncApi = { components: { messages: Record<string, { name: string; summary?: string }> } }

/** The types change only with the version of the service. */
export const eventTypesQuery = {
  queryKey: ['event-types'],
  queryFn: readEventTypes,
  staleTime: Infinity,
}

async function readEventTypes(): Promise<EventTypes> {
  // The document is for everybody: a request without the cookie does not keep the session alive.
  const response = await fetch(new URL('/asyncapi/v1.json', location.origin), { credentials: 'omit' })
  if (!response.ok) throw new Error(`The description of the events cannot be read: ${response.status}`)
  const { components } = (await response.json()) as AsyncApi
  const messages = Object.values(components.messages)
  const types = messages.map(({ name }) => name).sort()
  const topics = [...new Set(types.map((type) => `${type.slice(0, type.lastIndexOf('.'))}.*`))]
  return {
    names: [...topics, ...types],
    summaries: new Map(messages.map(({ name, summary = '' }) => [name, summary])),
  }
}

/** What a call of the client returns. Failures are thrown as problems, so there is an answer. */
export type Answer<T> = { data?: T; response: Response }

/** A resource with its ETag, by which the service detects changes made since it was read. */
export type Versioned<T> = { value: T; etag: string }

export async function answerOf<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data } = await call
  return data as T
}

export async function versionOf<T>(call: Promise<Answer<T>>): Promise<Versioned<T>> {
  const { data, response } = await call
  return { value: data as T, etag: response.headers.get('etag') ?? '' }
}

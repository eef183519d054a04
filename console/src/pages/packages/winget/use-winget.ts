import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../../api/client.ts'
import { asProblem, hasStatus } from '../../../api/problem.ts'
import type { components } from '../../../api/types.ts'

export type WingetConversion = components['schemas']['WingetConversion'] & { versions?: string[] }
export type WingetPackage = WingetConversion['packages'][number]

/** What is converted: files that were dropped, or a package of the mirror. */
export type WingetSource = { files: readonly File[] } | { identifier: string; version?: string }

const maxRetries = 3
const minSearchLength = 2

/** Others are being converted. */
const whileBusy = {
  retry: (count: number, error: unknown) => hasStatus(error, 503) && count < maxRetries,
  retryDelay: (_: number, error: unknown) => (asProblem(error).retryAfterSeconds ?? 1) * 1_000,
}

export function useWingetConversion(source: WingetSource | undefined) {
  return useQuery({
    queryKey: ['winget', source && ('files' in source ? source.files.map(keyOf) : source)],
    queryFn: () => (source ? convert(source) : undefined),
    enabled: source !== undefined,
    staleTime: Infinity,
    ...whileBusy,
  })
}

const keyOf = ({ name, size, lastModified }: File) => `${name}-${size}-${lastModified}`

async function convert(source: WingetSource): Promise<WingetConversion> {
  if ('files' in source) {
    const files = await Promise.all(source.files.map(async (file) => ({ name: file.name, content: await file.text() })))
    return answerOf(api.POST('/api/winget/conversion', { body: { files } }))
  }
  const { identifier, version } = source
  const params = { path: { identifier }, query: { ...(version !== undefined && { version }) } }
  return answerOf(api.GET('/api/winget/packages/{identifier}', { params }))
}

export function useWingetSearch(text: string) {
  return useQuery({
    queryKey: ['winget', 'search', text],
    queryFn: () => answerOf(api.GET('/api/winget/packages', { params: { query: { search: text, top: 50 } } })),
    enabled: text.length >= minSearchLength,
  })
}

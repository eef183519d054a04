import { answerOf, api } from './client.ts'
import type { components } from './types.ts'

export type PackageUpload = components['schemas']['PackageUpload']

/** Begins with that of the list of packages: what changes packages ends uploads. */
export const packageUploadsKey = ['packages', 'uploads']

const importPollMs = 2_000

export const packageUploadsQuery = {
  queryKey: packageUploadsKey,
  queryFn: () => answerOf(api.GET('/api/package-uploads', { params: { query: { top: 200 } } })),
  // Only while something happens: repeated requests would keep the session alive.
  refetchInterval: ({ state: { data } }: { state: { data: { items: PackageUpload[] } | undefined } }) =>
    data?.items.some(({ state }) => state === 'Importing') ? importPollMs : (false as const),
}

/** An archive brings its own manifest. */
export const isArchive = ({ fileName }: Pick<PackageUpload, 'fileName'>) => /\.(zip|tar|tgz|tar\.gz)$/i.test(fileName)

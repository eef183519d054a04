import { type Api, until } from './api.ts'

/** Imports a folder of the package store and marks the package as ready to install. Returns its id. */
export async function importPackage(api: Api, folderPath: string): Promise<string> {
  const { trackingId } = await api.post<{ trackingId: string }>('/api/packages/import', { folderPath })
  const packageId = await until(async () => {
    type Import = { status: string; message: string | null; packageId: string | null }
    const { status, message, packageId } = await api.get<Import>(`/api/packages/import/${trackingId}`)
    if (status === 'Failed') throw new Error(`The import of ${folderPath} failed: ${message}`)
    return status === 'Success' && packageId ? packageId : undefined
  }, `the import of ${folderPath}`)
  await api.put(`/api/packages/${packageId}/ready-to-install`, { operational: true })
  return packageId
}

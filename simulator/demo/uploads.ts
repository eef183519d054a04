import { type Api, until } from './api.ts'

const path = '/api/package-uploads'

/** A file of which a part has arrived, and one of which no package could be made. */
export async function uploadFiles(api: Api): Promise<void> {
  await Promise.all([beginUpload(api), failImport(api)])
}

async function beginUpload(api: Api): Promise<void> {
  const fileName = 'office-suite-2026.iso'
  const size = 48_000_000
  const announced = { fileName, size, fingerprint: `${fileName}-${size}-1773480413000`, sha256: 'a5'.repeat(32) }
  const { id } = await api.post<{ id: string }>(path, announced)
  await api.sendBytes(`${path}/${id}`, Buffer.alloc(1_000_000))
}

async function failImport(api: Api): Promise<void> {
  const content = Buffer.from('The archive was damaged on its way.\n')
  const { id } = await api.post<{ id: string }>(path, { fileName: 'vpn-client-5.zip', size: content.length })
  await api.sendBytes(`${path}/${id}`, content)
  await api.post(`${path}/${id}/package`)
  await until(async () => {
    const { importFault } = await api.get<{ importFault: string | null }>(`${path}/${id}`)
    return importFault ?? undefined
  }, 'the end of the import')
}

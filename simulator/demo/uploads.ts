import { type Api, until } from './api.ts'

const path = '/api/package-uploads'

/** A file of which a part has arrived, one of which no package could be made, and one that waits for its review. */
export async function uploadFiles(api: Api): Promise<void> {
  await Promise.all([beginUpload(api), failImport(api), uploadInstaller(api)])
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
  const id = await upload(api, 'vpn-client-5.zip', content)
  await api.post(`${path}/${id}/package`)
  await until(async () => {
    const { importFault } = await api.get<{ importFault: string | null }>(`${path}/${id}`)
    return importFault ?? undefined
  }, 'the end of the import')
}

const installer = `#!/bin/sh
# Installs the Label Printer.
set -e
install -D -m 755 label-printer /usr/local/bin/label-printer
`

const uploadInstaller = (api: Api) => upload(api, 'label-printer-3.4.1.sh', Buffer.from(installer))

/** Uploads the whole file. Returns the id of the upload. */
async function upload(api: Api, fileName: string, content: Buffer<ArrayBuffer>): Promise<string> {
  const { id } = await api.post<{ id: string }>(path, { fileName, size: content.length })
  await api.sendBytes(`${path}/${id}`, content)
  return id
}

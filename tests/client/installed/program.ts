// A program of somebody else: compiled with the types of the installed package, and run by several versions of Node.
import { type components, createMusterClient, isProblem, type MusterProblem } from '@muster/client'
import { uploadFile } from '@muster/client/upload'

declare const process: { argv: string[]; versions: { node: string } }

const [, , address = '', clientId = '', clientSecret = ''] = process.argv
const muster = createMusterClient({ address, credentials: { clientId, clientSecret } })

const names: string[] = []
for await (const { hostname } of muster.pages('/api/computer', { query: { top: 2 } })) names.push(hostname)

const { data } = await muster.GET('/api/service/whoami')
const caller: components['schemas']['WhoAmI'] | undefined = data
// @ts-expect-error The answer has no such property: its type is that of the description, and not any.
const unknown: unknown = data?.colour

const missing: unknown = await muster
  .GET('/api/computer/{id}', { params: { path: { id: 999_999 } } })
  .catch((error: MusterProblem) => error)
// @ts-expect-error The id of a computer is a number.
const wrong = () => muster.GET('/api/computer/{id}', { params: { path: { id: 'pc-1' } } })

const content = new Blob(['sent by Node ', process.versions.node])
const upload = await uploadFile(muster, { name: 'greeting.txt', content, fingerprint: process.versions.node })

console.log(
  JSON.stringify({
    node: process.versions.node,
    names,
    isKnown: caller !== undefined && unknown === undefined && typeof wrong === 'function',
    problem: isProblem(missing, 'ComputerNotFound') ? missing.status : missing,
    uploadedBytes: upload.size,
  }),
)

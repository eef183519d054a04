import { stat } from 'node:fs/promises'

const isFileName = (name: string) => /\.(ya?ml|json)$/.test(name)

/** Whether a path is the folder of a desired state, which need not exist yet, and not a catalog document. */
export async function isStateFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found ? found.isDirectory() : !isFileName(path)
}

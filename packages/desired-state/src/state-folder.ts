import { joinStateFiles, type ReadState } from './state-files.ts'
import type { YamlFile } from './state-places.ts'
import { listYamlFiles, readYamlFile } from './yaml-files.ts'

/** Reads all files below the folder. */
export async function readStateFolder(folder: string): Promise<ReadState> {
  const files: YamlFile[] = []
  for (const name of await listYamlFiles(folder)) files.push(await readYamlFile(folder, name))
  return joinStateFiles(files)
}

import { joinStateFiles, parseYamlText, type ReadState } from '@muster/desired-state/in-browsers'
import { useMemo, useState } from 'react'
import { type ReadFiles, readFiles, type StateFile } from './read-files.ts'

export type StateFiles = ReturnType<typeof useStateFiles>

/** The files of a desired state that somebody has chosen, and the document that they are together. */
export function useStateFiles() {
  const [files, setFiles] = useState<readonly StateFile[]>([])
  const [prune, setPrune] = useState(false)
  const [leftOut, setLeftOut] = useState<Pick<ReadFiles, 'others' | 'tooLarge'>>({ others: 0, tooLarge: [] })
  const [error, setError] = useState<unknown>()
  const content = useMemo(() => parseFiles(files), [files])
  return {
    files,
    prune,
    setPrune,
    leftOut,
    /** Why files could not be read. */
    error,
    ...content,
    /** Adds files. One with the name of another one takes its place. */
    async add(chosen: readonly File[], folders: readonly FileSystemDirectoryEntry[]) {
      try {
        const { files: added, ...others } = await readFiles(chosen, folders)
        const names = new Set(added.map(({ name }) => name))
        setFiles((before) =>
          [...before.filter(({ name }) => !names.has(name)), ...added].sort((a, b) => (a.name < b.name ? -1 : 1)),
        )
        setLeftOut(others)
        setError(undefined)
      } catch (failure) {
        setError(failure)
      }
    },
    remove: (removed: string) => setFiles((before) => before.filter(({ name }) => name !== removed)),
    clear: () => {
      setFiles([])
      setLeftOut({ others: 0, tooLarge: [] })
    },
  }
}

/** The document of the files, or the first mistake in them with its place. */
function parseFiles(files: readonly StateFile[]): { read?: ReadState; mistake?: string } {
  if (files.length === 0) return {}
  try {
    return { read: joinStateFiles(files.map(({ name, text }) => parseYamlText(name, text))) }
  } catch (error) {
    return { mistake: (error as Error).message }
  }
}

import { readdir, readFile } from 'node:fs/promises'

/** The ids of programs under Wine, which are processes of this machine, by a part of their command line. */
export async function listProcesses(wineRoot: string, program: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const found = await Promise.all(
    pids.map(async (pid) => {
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
      const [line, variables, state] = [await read('cmdline'), await read('environ'), await read('stat')]
      return line.toLowerCase().includes(program) && variables.includes(wineRoot) && !state.includes(') Z')
    }),
  )
  return pids.filter((_, index) => found[index])
}

import { readdirSync, readFileSync } from 'node:fs'

/** The ids of programs under Wine, which are processes of this machine, by a part of their command line. */
export function listProcesses(wineRoot: string, program: string): number[] {
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
  return pids.filter((pid) => {
    const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8')
    try {
      return (
        read('cmdline').toLowerCase().includes(program) &&
        read('environ').includes(wineRoot) &&
        !read('stat').includes(') Z')
      )
    } catch {
      // It has ended meanwhile.
      return false
    }
  })
}

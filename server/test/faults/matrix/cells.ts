import {
  breakWorker,
  exhaustFiles,
  fillTheDisk,
  killOneBackend,
  killPostmaster,
  killService,
  lockRow,
  setClock,
  slowDownCommits,
  stopAllBackends,
  stopOneBackend,
  stopPostmaster,
  stopService,
  terminateBackends,
} from './begin-fault.ts'
import { all, type Cell, nobodyElse, oneConnection, someClients } from './cell.ts'
import { maxOpenFiles } from './world.ts'

const external = { arrangement: 'external', ready: 'either' } as const
const proxied = { arrangement: 'proxied', ready: 'either' } as const

/**
 * The fault matrix. Under every fault, nothing that was acknowledged is lost or done twice, no answer is a 500, each
 * request is answered, and all clients are served again without help when the fault has ended.
 */
export const cells: Cell[] = [
  {
    ...external,
    ...all,
    name: 'service: kill -9',
    begins: 'The service is killed.',
    ends: 'Its supervisor starts it again.',
    mayDropConnections: true,
    ready: 'turns false',
    begin: killService,
  },
  {
    ...external,
    ...all,
    name: 'service: SIGSTOP',
    begins: 'The service is stopped.',
    ends: 'SIGCONT.',
    ready: 'turns false',
    begin: stopService,
  },
  {
    ...external,
    ...oneConnection,
    name: 'one backend: terminated',
    begins: 'pg_terminate_backend of the backend that was used last.',
    ends: 'At once.',
    ready: 'stays true',
    begin: (world) => terminateBackends(world, 1),
  },
  {
    ...external,
    ...all,
    name: 'one backend: kill -9',
    begins: 'The backend that was used last is killed, so PostgreSQL restarts all others and recovers.',
    ends: 'At once.',
    begin: killOneBackend,
  },
  {
    ...external,
    ...oneConnection,
    name: 'one backend: SIGSTOP',
    begins: 'The backend that was used last is stopped.',
    ends: 'SIGCONT.',
    ready: 'stays true',
    stops: 'in the long version',
    begin: stopOneBackend,
  },
  {
    ...external,
    ...all,
    name: 'all backends: terminated',
    begins: 'pg_terminate_backend of all backends of the service.',
    ends: 'At once.',
    begin: (world) => terminateBackends(world, Number.POSITIVE_INFINITY),
  },
  {
    ...external,
    ...all,
    name: 'all backends: SIGSTOP',
    begins: 'The postmaster and all backends of the service are stopped.',
    ends: 'SIGCONT.',
    ready: 'turns false',
    stops: 'in the long version',
    begin: stopAllBackends,
  },
  {
    ...external,
    ...oneConnection,
    name: 'postmaster: SIGSTOP',
    begins: 'The postmaster is stopped: open connections work, but no new one can be opened.',
    ends: 'SIGCONT.',
    stops: 'in the long version',
    begin: stopPostmaster,
  },
  {
    ...external,
    ...all,
    name: 'postmaster: SIGKILL',
    begins: 'The postmaster is killed.',
    ends: 'The supervisor of PostgreSQL starts it again.',
    begin: killPostmaster,
  },
  {
    ...external,
    ...all,
    name: 'embedded postmaster: SIGKILL',
    begins: 'The PostgreSQL that the service runs itself is killed.',
    ends: 'The service starts it again.',
    arrangement: 'embedded',
    begin: killPostmaster,
  },
  {
    ...external,
    ...oneConnection,
    name: 'embedded postmaster: SIGSTOP',
    begins: 'The postmaster that the service runs itself is stopped.',
    ends: 'SIGCONT.',
    arrangement: 'embedded',
    stops: 'in the long version',
    begin: stopPostmaster,
  },
  {
    ...proxied,
    ...oneConnection,
    name: 'network: one connection silent',
    begins: 'Bytes of the connection that was used last vanish in both directions.',
    ends: 'Never: the service has to replace the connection.',
    ready: 'stays true',
    begin: async ({ proxy }) => {
      proxy.silenceOne()
      return { end: async () => {} }
    },
  },
  {
    ...proxied,
    ...all,
    name: 'network: all silent',
    begins: 'Bytes of all connections and of new ones vanish in both directions.',
    ends: 'New connections work. Those from before stay silent.',
    ready: 'turns false',
    stops: 'in both versions',
    begin: async ({ proxy }) => {
      proxy.silenceAll()
      return { end: proxy.pass }
    },
  },
  {
    ...proxied,
    ...all,
    name: 'network: 200 ms delay',
    begins: 'What the database sends arrives 200 ms later.',
    ends: 'The delay ends.',
    begin: async ({ proxy }) => {
      proxy.delayAll(200)
      return { end: proxy.pass }
    },
  },
  {
    ...proxied,
    ...all,
    name: 'network: reset',
    begins: 'All connections are reset, and new ones refused.',
    ends: 'New connections work.',
    ready: 'turns false',
    stops: 'in the long version',
    begin: async ({ proxy }) => {
      proxy.resetAll()
      return { end: proxy.pass }
    },
  },
  {
    ...external,
    ...nobodyElse,
    name: 'locked row: computer',
    begins: 'A transaction locks the row of one computer, which 24 clients want to change.',
    ends: 'The transaction ends.',
    ready: 'stays true',
    stops: 'in both versions',
    begin: (world, load) => lockRow(world, load, { table: 'computers', key: 'id', crowd: 24 }),
  },
  {
    ...external,
    ...nobodyElse,
    name: 'locked row: agent',
    begins: 'A transaction locks the row of one agent, which makes contacts meanwhile.',
    ends: 'The transaction ends.',
    ready: 'stays true',
    begin: (world, load) => lockRow(world, load, { table: 'agents', key: 'computer_id', crowd: 0 }),
  },
  {
    ...external,
    ...nobodyElse,
    name: 'disk: slow',
    begins: 'Each commit takes 50 ms longer.',
    ends: 'Commits are as fast as before.',
    ready: 'stays true',
    begin: slowDownCommits,
  },
  {
    ...external,
    ...all,
    name: 'disk: full',
    begins: 'The file system of the database is filled to the last byte.',
    ends: 'Space is freed.',
    arrangement: 'small disk',
    ready: 'turns false',
    stops: 'in the long version',
    begin: fillTheDisk,
  },
  {
    ...external,
    ...someClients,
    name: 'worker: kill -9',
    begins: 'One of two workers is killed.',
    ends: 'The service replaces it.',
    arrangement: 'workers',
    begin: (world, load) => breakWorker(world, load, 'SIGKILL'),
  },
  {
    ...external,
    ...someClients,
    name: 'worker: SIGSTOP',
    begins: 'One of two workers is stopped.',
    ends: 'SIGCONT, unless the service has replaced it.',
    arrangement: 'workers',
    stops: 'in both versions',
    begin: (world, load) => breakWorker(world, load, 'SIGSTOP'),
  },
  {
    ...external,
    ...someClients,
    name: 'file descriptors: used up',
    begins: `The service may open ${maxOpenFiles} files. Idle connections use up what is left.`,
    ends: 'The idle connections are closed.',
    arrangement: 'few files',
    stops: 'in the long version',
    begin: exhaustFiles,
  },
  {
    ...external,
    ...all,
    name: 'file descriptors: none for the database',
    begins: 'The same, and all backends are terminated: their connections need new file descriptors.',
    ends: 'The idle connections are closed.',
    arrangement: 'few files',
    mayDropConnections: true,
    async begin(world) {
      const fault = await exhaustFiles(world)
      await terminateBackends(world, Number.POSITIVE_INFINITY)
      return fault
    },
  },
  {
    ...external,
    ...nobodyElse,
    name: 'clock: two hours ahead',
    begins: 'The clock of the Node process jumps two hours ahead, that of PostgreSQL does not.',
    ends: 'It jumps back.',
    arrangement: 'clock',
    ready: 'turns false',
    begin: (world) => setClock(world, 2 * 3_600_000),
  },
]

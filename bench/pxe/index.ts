import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Api, apiOf } from '../api.ts'
import { startNode } from '../nodes.ts'
import { type BenchService, withService } from '../service.ts'
import { reportTarget } from '../target.ts'
import { bootComputer, diskLine } from './machine.ts'
import { type PxeComputer, prepareComputers } from './prepare.ts'
import { type Firmware, findMissingTools } from './tools.ts'

/** How a computer reaches this machine in the network that QEMU provides. */
const hostInGuest = '10.0.2.2'

/** Boots virtual computers with BIOS and with UEFI firmware: from their disks, and into what Muster serves. */
export async function benchPxe(): Promise<void> {
  const missing = await findMissingTools()
  if (missing) {
    console.log(`SKIPPED: ${missing}`)
    return
  }
  await withService(async (service: BenchService) => {
    const store = await mkdtemp(join(tmpdir(), 'muster-bench-'))
    const node = await startNode(service.database.url, { MUSTER_PACKAGE_STORE: store })
    try {
      const api = apiOf(node.address, service.headers)
      const computers = await prepareComputers(api, store)
      for (const firmware of ['SeaBIOS', 'OVMF'] as const)
        await bootInAllStates(api, node.address, firmware, computers[firmware])
    } finally {
      await node.stop()
      await rm(store, { recursive: true })
    }
  })
}

async function bootInAllStates(api: Api, address: string, firmware: Firmware, computer: PxeComputer): Promise<void> {
  const { port } = new URL(address)
  const script = `http://${hostInGuest}:${port}/boot/ipxe/\${netX/mac}`
  const boot = async (state: string, goal: RegExp) => {
    const began = performance.now()
    const { printed, hasLoadedIpxe } = await bootComputer({ firmware, mac: computer.mac, script, goal })
    const isMet = hasLoadedIpxe && goal.test(printed)
    const seconds = Math.round((performance.now() - began) / 1000)
    reportTarget(`${firmware}, ${state}, ${seconds} s`, isMet)
    if (!isMet) console.log(printed.slice(-2_000))
    return printed
  }
  const fromDisk = new RegExp(diskLine)
  await boot('not activated: boots from its disk', fromDisk)
  await api.post(`/api/computer/${computer.id}/activation`, { pxe: true })
  const fromMuster = new RegExp(`muster\\.name=${computer.name} .*muster\\.report=\\S+ .*muster\\.sku=1\\b`)
  const commandLine = await boot('activated: starts the kernel that Muster serves', fromMuster)
  const [, reportPath = ''] = /muster\.report=http:\/\/[^/]+(\S+)/.exec(commandLine) ?? []
  if (reportPath) await api.post(reportPath, { status: 'Success' })
  await boot('after the report of the installer: boots from its disk', fromDisk)
}

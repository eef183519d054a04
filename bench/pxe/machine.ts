import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { buildBiosDisk, buildEfiProgram } from './programs.ts'
import { emulator, type Firmware, loaders, ovmf } from './tools.ts'
import { openWire } from './wire.ts'

/** What the disk of every virtual computer prints when it is started. */
export const diskLine = 'The disk was started.'

export type Boot = {
  firmware: Firmware
  mac: string
  /** The address of the script for iPXE, as the computer reaches it. */
  script: string
  /** The computer is switched off as soon as it has printed this. */
  goal: RegExp
}

/** Emulation without hardware support takes up to half a minute on an idle machine. */
const timeoutMs = 180_000

export type BootResult = {
  printed: string
  /** False if the computer started its disk without asking the network first. */
  hasLoadedIpxe: boolean
}

/** Switches a computer on that boots from the network first and from its disk second. */
export async function bootComputer({ firmware, mac, script, goal }: Boot): Promise<BootResult> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'))
  const loader = basename(loaders[firmware])
  await mkdir(join(folder, 'tftp'))
  await copyFile(loaders[firmware], join(folder, 'tftp', loader))
  const wire = await openWire({ loader, script })
  const computer = spawn(
    emulator,
    [
      ...['-nodefaults', '-accel', 'tcg', '-m', '256', '-display', 'none', '-serial', 'stdio'],
      ...['-monitor', `unix:${join(folder, 'monitor')},server=on,wait=off`],
      ...['-netdev', `user,id=network,tftp=${join(folder, 'tftp')},bootfile=${loader}`],
      ...['-netdev', `socket,id=far,connect=127.0.0.1:${wire.ports.network}`],
      ...['-netdev', 'hubport,id=port0,hubid=0,netdev=network', '-netdev', 'hubport,id=port1,hubid=0,netdev=far'],
      ...['-netdev', `socket,id=near,connect=127.0.0.1:${wire.ports.computer}`],
      ...(firmware === 'OVMF' ? await uefiOptions(folder, mac) : await biosOptions(folder, mac)),
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const closed = once(computer, 'close')
  try {
    const printed = await readUntil(computer, goal, () => pullCable(folder))
    return { printed, hasLoadedIpxe: wire.hasGivenScript() }
  } finally {
    computer.kill('SIGKILL')
    await closed
    wire.close()
    await rm(folder, { recursive: true })
  }
}

async function biosOptions(folder: string, mac: string): Promise<string[]> {
  const disk = join(folder, 'disk')
  await writeFile(disk, buildBiosDisk(diskLine))
  return [
    ...['-drive', `if=none,id=disk,format=raw,file=${disk}`, '-device', 'virtio-blk-pci,drive=disk,bootindex=2'],
    ...['-device', `virtio-net-pci,netdev=near,mac=${mac},bootindex=1`],
  ]
}

async function uefiOptions(folder: string, mac: string): Promise<string[]> {
  const disk = join(folder, 'disk')
  await mkdir(join(disk, 'EFI/BOOT'), { recursive: true })
  await writeFile(join(disk, 'EFI/BOOT/BOOTX64.EFI'), buildEfiProgram(diskLine))
  await copyFile(ovmf.variables, join(folder, 'variables'))
  return [
    ...['-drive', `if=pflash,format=raw,readonly=on,file=${ovmf.code}`],
    ...['-drive', `if=pflash,format=raw,file=${join(folder, 'variables')}`],
    ...['-fw_cfg', 'name=opt/org.tianocore/IPv6PXESupport,string=n'],
    // Without a source of random numbers, newer versions of OVMF do not use the network.
    ...['-device', 'virtio-rng-pci'],
    // QEMU presents the folder as a FAT file system.
    ...['-drive', `if=none,id=disk,format=raw,readonly=on,file=fat:${disk}`],
    ...['-device', 'virtio-blk-pci,drive=disk,bootindex=2'],
    // Without the ROM of the card, the firmware itself boots from the network.
    ...['-device', `virtio-net-pci,netdev=near,mac=${mac},bootindex=1,romfile=`],
  ]
}

/** The terminal sequences with which firmware positions what it prints. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these sequences begin with an escape character.
const terminalSequences = /\u001b\[[\d;=?]*[A-Za-z]/g
const networkBootEnded = 'BdsDxe: failed to start'

async function readUntil(computer: ChildProcess, goal: RegExp, pull: () => void): Promise<string> {
  let printed = ''
  let isConnected = true
  const timer = setTimeout(() => computer.kill('SIGKILL'), timeoutMs)
  for await (const chunk of computer.stdout ?? []) {
    printed = (printed + chunk).replaceAll(terminalSequences, '')
    if (goal.test(printed)) break
    if (isConnected && printed.includes(networkBootEnded)) {
      pull()
      isConnected = false
    }
  }
  clearTimeout(timer)
  return printed
}

/** The next entries in OVMF's list are HTTP boots from the same card. Without a cable they end at once, not in minutes. */
function pullCable(folder: string): void {
  const monitor = connect(join(folder, 'monitor'))
  monitor.on('error', () => monitor.destroy())
  monitor.end('set_link near off\n')
}

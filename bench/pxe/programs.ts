/**
 * The programs that a virtual machine starts instead of operating systems. They print to the first serial port and halt:
 * what was printed shows which of them the firmware started. Machine code is written out here, with the assembler text
 * beside it so that the repository contains no binaries.
 */

/** Waits until the serial port can take a character, and writes the one in the register al. Valid in all modes. */
const writeCharacter = [
  ...[0x88, 0xc4], //             mov ah, al
  ...[0xb6, 0x03], //             mov dh, 0x03
  ...[0xb2, 0xfd], //             mov dl, 0xfd      0x3fd is the state of the port
  ...[0xec], //             wait: in al, dx
  ...[0xa8, 0x20], //             test al, 0x20
  ...[0x74, 0xfb], //             jz wait
  ...[0xb2, 0xf8], //             mov dl, 0xf8      0x3f8 is the port
  ...[0x88, 0xe0], //             mov al, ah
  ...[0xee], //                   out dx, al
]

/** Prints the text at which the register si or rsi points, up to a zero byte, and halts. `load` fetches a character. */
function printAndHalt(load: readonly number[]): number[] {
  const loopBytes = load.length + 4 + writeCharacter.length + 2
  return [
    ...[0xfc], //                               cld
    ...load, //                           next: load
    ...[0x84, 0xc0], //                         test al, al
    ...[0x74, writeCharacter.length + 2], //    jz halt
    ...writeCharacter,
    ...[0xeb, 0x100 - loopBytes], //            jmp next
    ...[0xf4], //                         halt: hlt
    ...[0xeb, 0xfd], //                         jmp halt
  ]
}

const printBytes = printAndHalt([0xac]) //       lodsb
const printUtf16 = printAndHalt([0x66, 0xad]) // lodsw, in 64-bit mode

const sectorBytes = 512

/** A disk whose boot sector prints the line. */
export function buildBiosDisk(line: string): Buffer {
  const loadAddress = 0x7c00
  const start = [
    ...[0x31, 0xc0], //           xor ax, ax
    ...[0x8e, 0xd8], //           mov ds, ax
  ]
  const textAddress = loadAddress + start.length + 3 + printBytes.length
  const disk = Buffer.alloc(2048 * sectorBytes)
  Buffer.from([
    ...start,
    ...[0xbe, textAddress & 0xff, textAddress >> 8], // mov si, text
    ...printBytes,
    ...Buffer.from(`${line}\r\n\0`),
  ]).copy(disk)
  disk.writeUInt16LE(0xaa55, 510)
  return disk
}

/** A UEFI program that prints the line. */
export function buildEfiProgram(line: string): Buffer {
  return withPeHeader(Buffer.alloc(codeOffset), [
    ...[0x48, 0x8d, 0x35, ...int32(printBytes.length)], // lea rsi, [rip + text]
    ...printBytes,
    ...Buffer.from(`${line}\r\n\0`),
  ])
}

/**
 * A kernel that prints its command line. Like a real one, it is a kernel for BIOS and a UEFI program in one file: the
 * header of the Linux boot protocol begins at 0x1f1, between the PE header and the real-mode code.
 */
export function buildKernel(): Buffer {
  const setup = Buffer.alloc(codeOffset)
  const realMode = Buffer.from([
    ...[0x66, 0xa1, 0x28, 0x02], // mov eax, [0x228]   the address of the command line, from the header
    ...[0x89, 0xc6], //             mov si, ax
    ...[0x83, 0xe6, 0x0f], //       and si, 15
    ...[0x66, 0xc1, 0xe8, 0x04], // shr eax, 4
    ...[0x8e, 0xd8], //             mov ds, ax
    ...printBytes,
  ])
  setup.writeUInt8(codeOffset / sectorBytes - 1, 0x1f1) // sectors of real-mode code after the first
  setup.writeUInt16LE(0xaa55, 0x1fe)
  setup.set([0xeb, 0x3e], 0x200) // jmp 0x240
  setup.write('HdrS', 0x202)
  setup.writeUInt16LE(0x0206, 0x206) // version of the boot protocol
  setup.writeUInt8(1, 0x211) // load the rest at 1 MiB
  setup.writeUInt32LE(0x100000, 0x214)
  setup.writeUInt32LE(0x7fffffff, 0x22c) // the highest address of an initrd
  setup.writeUInt32LE(2047, 0x238) // characters of a command line
  realMode.copy(setup, 0x240)
  return withPeHeader(setup, findLoadOptionsAndPrint())
}

function findLoadOptionsAndPrint(): number[] {
  const guidOfLoadedImage = [
    ...[0xa1, 0x31, 0x1b, 0x5b, 0x62, 0x95, 0xd2, 0x11],
    ...[0x8e, 0x3f, 0x00, 0xa0, 0xc9, 0x69, 0x72, 0x3b],
  ]
  const afterGuidReference = [
    ...[0x4c, 0x8d, 0x44, 0x24, 0x20], //       lea r8, [rsp + 32]
    ...[0xff, 0x90, 0x98, 0x00, 0x00, 0x00], // call [rax + 152]   HandleProtocol
    ...[0x48, 0x8b, 0x44, 0x24, 0x20], //       mov rax, [rsp + 32]
    ...[0x48, 0x8b, 0x70, 0x38], //             mov rsi, [rax + 56]   LoadOptions
    ...printUtf16,
  ]
  return [
    ...[0x48, 0x83, 0xec, 0x38], //             sub rsp, 56
    ...[0x48, 0x8b, 0x42, 0x60], //             mov rax, [rdx + 96]   BootServices of the system table
    ...[0x48, 0x8d, 0x15, ...int32(afterGuidReference.length)], // lea rdx, [rip + guid]
    ...afterGuidReference,
    ...guidOfLoadedImage,
  ]
}

/** Where the code of UEFI programs begins in their files. */
const codeOffset = 1024

/** Completes `start`, the first kilobyte of a file, to a 64-bit UEFI program with one section. */
function withPeHeader(start: Buffer, code: readonly number[]): Buffer {
  const [peOffset, optionalBytes, pageBytes] = [0x40, 160, 4096]
  start.write('MZ', 0)
  start.writeUInt32LE(peOffset, 0x3c)
  start.write('PE\0\0', peOffset)
  const coff = start.subarray(peOffset + 4)
  coff.writeUInt16LE(0x8664, 0) // x64
  coff.writeUInt16LE(1, 2) // sections
  coff.writeUInt16LE(optionalBytes, 16)
  coff.writeUInt16LE(0x0022, 18) // executable, any address
  const optional = coff.subarray(20)
  optional.writeUInt16LE(0x020b, 0) // PE32+
  optional.writeUInt32LE(sectorBytes, 4) // bytes of code
  optional.writeUInt32LE(pageBytes, 16) // entry point
  optional.writeUInt32LE(pageBytes, 20) // first code
  optional.writeUInt32LE(pageBytes, 32) // alignment in memory
  optional.writeUInt32LE(sectorBytes, 36) // alignment in the file
  optional.writeUInt32LE(2 * pageBytes, 56) // bytes in memory
  optional.writeUInt32LE(codeOffset, 60) // bytes of all headers
  optional.writeUInt16LE(10, 68) // UEFI application
  optional.writeUInt32LE((optionalBytes - 112) / 8, 108) // entries of the empty directory
  const section = optional.subarray(optionalBytes)
  section.write('.text', 0)
  section.writeUInt32LE(sectorBytes, 8) // bytes in memory
  section.writeUInt32LE(pageBytes, 12) // address in memory
  section.writeUInt32LE(sectorBytes, 16) // bytes in the file
  section.writeUInt32LE(codeOffset, 20)
  section.writeUInt32LE(0x60000020, 36) // readable and executable code
  const body = Buffer.alloc(sectorBytes)
  Buffer.from(code).copy(body)
  return Buffer.concat([start, body])
}

function int32(value: number): number[] {
  return [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >> 24]
}

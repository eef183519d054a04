import type { ScriptFacts } from '../facts.ts'
import { readUpTo, type Source } from '../source.ts'
import { toLine, toLineOrNothing, toScript } from '../texts.ts'

const maxStartBytes = 16 * 1024

/** Scripts for Windows have no first line that names their interpreter. */
const interpretersByName = [
  [/\.(bat|cmd)$/i, 'cmd'],
  [/\.ps1$/i, 'powershell'],
  [/\.(sh|run)$/i, 'sh'],
] as const

/** The facts of a script, or undefined if the file is none. A script may be followed by an archive. */
export async function findScript(source: Source, fileName: string): Promise<ScriptFacts | undefined> {
  const bytes = await readUpTo(source, 0, maxStartBytes)
  const start = bytes.toString('latin1')
  const interpreter = findInterpreter(start) ?? findInterpreterByName(start, fileName)
  if (interpreter === undefined) return undefined
  const own = toScript(toLine(fileName, 255), bytes)
  const scripts = [{ ...own, isComplete: own.isComplete && bytes.length === source.size }]
  if (!/generated using Makeself/i.test(start)) return { format: 'script', interpreter, scripts }
  const label = toLineOrNothing(/^label="([^"\n]{1,200})"/m.exec(start)?.[1])
  return { format: 'script', interpreter, generator: 'makeself', ...(label !== undefined && { label }), scripts }
}

/** The first line is such as `#!/bin/sh` or `#!/usr/bin/env python3`. */
function findInterpreter(start: string): string | undefined {
  const [, line = ''] = /^#![ \t]*(\/[^\r\n]{1,200})/.exec(start) ?? []
  const [path = '', ...words] = line.trim().split(/\s+/)
  const program = path.endsWith('/env') ? words.find((word) => !word.startsWith('-')) : path
  const name = program?.split('/').at(-1) ?? ''
  return /^[A-Za-z][\w.+-]{0,30}$/.test(name) ? name : undefined
}

function findInterpreterByName(start: string, fileName: string): string | undefined {
  const isText = start !== '' && !start.includes('\0')
  return isText ? interpretersByName.find(([pattern]) => pattern.test(fileName))?.[1] : undefined
}

#!/usr/bin/env node
import { processTerminal } from './process-terminal.ts'
import { run } from './run.ts'

// Without `await` so that the command can be built into one file.
void run(process.argv.slice(2), processTerminal()).then((code) => {
  process.exitCode = code
})

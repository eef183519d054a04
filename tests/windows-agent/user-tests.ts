import { expect, test } from 'vitest'
import type { AgentKind } from '../../agent/test/shared/agent-kind.ts'
import { testPower } from '../../agent/test/shared/power.ts'
import { bundleNativeCalls } from '../../agent/test/windows/native-calls/bundle.ts'
import { openWindowsAgent } from '../../agent/test/windows/windows-kind.ts'
import { seenByWine, type Wine } from '../../agent/test/windows/wine.ts'
import { npmFile } from '../../tools/package/npm-file.ts'
import { nodeForWindows } from '../../tools/package/windows-executable.ts'

/** Wine writes down the calls that it does not implement, with their arguments. */
const recordedCalls = { WINEDEBUG: '-all,fixme+shutdown,fixme+wtsapi,err+eventlog,warn+eventlog' }

/** What the agent does with users and with the power of a computer with Windows. */
export function testUsers(kind: AgentKind, wine: Wine, program: string): void {
  testPower(kind)

  test('without a command of its own, the agent on Windows shuts down and restarts with shutdown.exe', async () => {
    const { server, startWith } = await openWindowsAgent(wine, program)
    for (const action of ['Shutdown', 'Reboot'] as const)
      server.give({ kind: 'Power', power: { action, timeoutMinutes: -1, reminderMinutes: 0 } })

    const { output } = await startWith({ ...recordedCalls, MUSTER_AGENT_REBOOT_COMMAND: '' }, 'run', '--once').ended

    expect(server.results.map(({ commandLine }) => commandLine)).toEqual([
      'shutdown /s /t 0 /f /d p:4:1',
      'shutdown /r /t 0 /f /d p:4:1',
    ])
    expect(output).toMatch(/shutdown.*"\/s".*"\/t".*"0".*"\/f"/s)
    expect(output).toMatch(/shutdown.*"\/r".*"\/t".*"0".*"\/f"/s)
  })

  test('Windows gets the calls for questions, for processes of users, for permissions and for automation objects as they are meant', async () => {
    const script = await bundleNativeCalls(wine.root)

    const { output } = await wine.run([seenByWine(await npmFile(nodeForWindows)), seenByWine(script)], {
      ...recordedCalls,
      EXECUTABLE: program,
    })

    // The texts, their lengths in bytes, the buttons, the seconds, and that the answer is awaited.
    expect(output).toMatch(/WTSSendMessageW .*0x00000001 \(L"Muster"\) 12 \(L"Postpone\?"\) 18 0x00010124 5 \S+ 1/)
    // Wine shows no question, so nobody answers it.
    expect(output).toContain('question {"value":null}')
    expect(output).toContain('process {"value":7}')
    expect(output).toContain('time limit {"value":null}')
    expect(output).toContain('presenting {"value":0}')
    expect(output).toContain('created {"value":true}')
    expect(output).toContain('created again {"value":false}')
    // Wine always lists SYSTEM and the account that runs it. Nobody else may be listed, or at most for reading.
    const others = /\(A;OICI;(\w+);;;WD\)/
    const permissions = (name: string) => new RegExp(`^${name} \\{"value":"D:(.*)"\\}`, 'm').exec(output)?.[1]
    for (const name of ['permissions', 'private'])
      expect(permissions(name)?.replace(/S-1-5-21-[\d-]+/, 'account')).toBe('(A;OICI;FA;;;SY)(A;OICI;FA;;;account)')
    expect(others.exec(permissions('open') ?? '')?.[1]).toBe('0x1301ff')
    expect(others.exec(permissions('open no more') ?? '')?.[1] ?? '0x1200a9').toBe('0x1200a9')
    expect(output).toContain('replaced {"value":"old, new"}')
    expect(output).toMatch(/warn:eventlog:ReportEventW .*L"A work item has failed\."/)
    expect(output).toMatch(/err:eventlog:ReportEventW .*L"The agent was not installed\."/)
    // Members of real objects: properties, methods with several arguments, arrays, errors, and objects in both directions.
    expect(output).toContain('assigned {"value":1}')
    expect(output).toContain('called {"value":[2,5,[5,true]]}')
    expect(output).toMatch(/refused \{"error":"ComError: Scripting\.Dictionary\.Add failed: 0x800a01c9/)
    expect(output).toMatch(
      /without such a member \{"error":"ComError: Finding Scripting\.Dictionary\.Total failed: 0x80020006/,
    )
    expect(output).toContain('returned object {"value":"windows"}')
    expect(output).toContain('passed object {"value":"windows"}')
    expect(output).toContain('released {"error":"Error: The COM object has been released."}')
  })
}

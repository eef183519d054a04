import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Schemas } from '../../../api/client.ts'
import { useFormat } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.tsx'
import classes from './summary/summary.module.css'

type Issues = Schemas['ComputerIssues']
type IssueName = Issues['activeIssues'][number]

/** The findings of one issue, each with a way to what can be done about it. */
export function IssueDetails({ name, issues }: { name: IssueName; issues: Issues }) {
  const findings = useFindings(issues)[name]
  return (
    <ul className={classes.list}>
      {findings.map(({ key, text, detail, to }) => (
        <li key={key}>
          {to ? (
            <Anchor component={Link} to={to} size="sm">
              {text}
            </Anchor>
          ) : (
            <Text size="sm">{text}</Text>
          )}
          {detail && (
            <Text size="xs" c="dimmed" className="breakable">
              {detail}
            </Text>
          )}
        </li>
      ))}
    </ul>
  )
}

type Finding = { key: string; text: ReactNode; detail?: ReactNode; to?: string }

const named = (...parts: (string | null)[]) => parts.filter(Boolean).join(' ')

function useFindings(issues: Issues): Record<IssueName, Finding[]> {
  const { issues: texts, suspensions } = useTexts().computer
  const format = useFormat()
  const base = `/computers/${issues.id}`
  const gigabytes = (value: number | null) => (value === null ? '?' : `${format.number(value)} GB`)
  const whenKnown = (at: string | null) => at && format.dateTime(at)
  return {
    'low-disk': (issues.lowDiskDrives ?? []).map(({ volume, label, freeSpaceGb, totalSpaceGb }) => ({
      key: volume,
      text: texts.lowDisk(named(volume, label && `(${label})`), gigabytes(freeSpaceGb), gigabytes(totalSpaceGb)),
    })),
    'battery-wear': (issues.wornBatteries ?? []).map(({ name, deviceId, healthPercent }) => ({
      key: named(name, deviceId),
      text: texts.wornBattery(named(name, deviceId), format.percent(healthPercent / 100)),
    })),
    'bitlocker-off': (issues.unencryptedDisks ?? []).map(({ volume, label }) => ({
      key: volume,
      text: texts.unencrypted(named(volume, label && `(${label})`)),
      to: `${base}/security`,
    })),
    'pending-reboot': [{ key: 'reboot', text: texts.pendingReboot }],
    'failed-deployment': (issues.failedPackages ?? []).map((one) => ({
      key: one.softwareId,
      text: named(one.packageName, one.version),
      detail: [whenKnown(one.failedUtc), one.errorText].filter(Boolean).join(' · '),
      to: `${base}/software?why=${one.softwareId}`,
    })),
    'missing-patch': [
      ...(issues.pmClientGaps ?? []).map((gap) => ({ key: gap, text: gap })),
      ...(issues.missingPatches ?? []).map((patch) => ({
        key: `${patch.patchId}-${patch.productId}`,
        text: named(patch.qNumber, patch.patchName),
        detail: [patch.vendorSeverity, patch.productName].filter(Boolean).join(' · '),
        to: `/patches/${patch.patchId}`,
      })),
    ],
    'stale-agent': [{ key: 'agent', text: texts.staleAgent(Math.round(issues.staleAgentHours ?? 0)) }],
    'stale-inventory': [{ key: 'inventory', text: texts.staleInventory(Math.round(issues.staleInventoryDays ?? 0)) }],
    'stale-deployment': (issues.stalePendingPackages ?? []).map((one) => ({
      key: one.softwareId,
      text: named(one.packageName, one.version),
      detail: texts.pendingFor(Math.round(one.hoursPending)),
      to: `${base}/software?why=${one.softwareId}`,
    })),
    'software-drift': (issues.driftedPackages ?? []).map((one) => ({
      key: one.softwareId,
      text: named(one.packageName, one.version),
      detail: [texts.drifts(one.times), whenKnown(one.lastFoundUtc), one.foundVersion].filter(Boolean).join(' · '),
      to: `${base}/software?why=${one.softwareId}`,
    })),
    'agent-suspended': [
      {
        key: 'suspended',
        text: issues.suspensionMode ? suspensions[issues.suspensionMode] : '',
        detail: issues.suspendedUntil
          ? texts.suspendedUntil(format.dateTime(issues.suspendedUntil))
          : texts.suspendedOpenEnd,
      },
    ],
  }
}

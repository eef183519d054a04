import { Progress, Stack, Text } from '@mantine/core'
import type { Schemas } from '../../../../api/client.ts'
import { Section } from '../../../../components/section.tsx'
import { useFormat } from '../../../../texts/format.ts'
import { useTexts } from '../../../../texts/texts.tsx'

const fullPercent = 90

/** The disks with how full they are, in a bar and in words. */
export function Disks({ disks }: { disks: Schemas['ComputerInventory']['disks'] }) {
  const { inventory: texts } = useTexts().computer
  const format = useFormat()
  if (disks.length === 0) return null
  return (
    <Section title={texts.disks}>
      <Stack gap="sm">
        {disks.map(({ volume, label, freeSpaceGb, totalSpaceGb, usedPercent }) => (
          <div key={volume}>
            <Text size="sm" fw={600}>
              {volume} {label}
            </Text>
            {usedPercent !== null && freeSpaceGb !== null && totalSpaceGb !== null && (
              <>
                <Progress value={usedPercent} color={usedPercent > fullPercent ? 'red' : 'indigo'} aria-hidden />
                <Text size="xs" c="dimmed">
                  {texts.free(
                    format.number(freeSpaceGb),
                    format.number(totalSpaceGb),
                    format.percent(usedPercent / 100),
                  )}
                </Text>
              </>
            )}
          </div>
        ))}
      </Stack>
    </Section>
  )
}

import { Alert, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CopyBlock } from '../../components/copy-block.tsx'
import { IconAlertTriangle } from '../../components/icons.ts'
import { useInfrastructureTexts } from '../../texts/infrastructure-texts.ts'
import { type EnrolmentCommands, isInsecure, type Platform, platforms } from './commands.ts'

/** The commands that add a computer, for its platform. */
export function AgentCommands({ values }: { values: EnrolmentCommands }) {
  const { commands } = useInfrastructureTexts()
  const [platform, setPlatform] = useState<Platform>('linux')
  return (
    <Stack gap="sm">
      <NativeSelect
        label={commands.platform}
        data={platforms.map((value) => ({ value, label: commands.platforms[value] }))}
        value={platform}
        onChange={(event) => setPlatform(event.currentTarget.value as Platform)}
        maw={420}
      />
      <Text size="sm">{commands.hints[platform]}</Text>
      <CopyBlock label={commands.run} value={values[platform]} />
      {isInsecure(location) && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {commands.insecure}
        </Alert>
      )}
    </Stack>
  )
}

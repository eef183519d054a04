import { Alert, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CopyBlock } from '../../components/copy-block.tsx'
import { IconAlertTriangle } from '../../components/icons.ts'
import { useInfrastructureTexts } from '../../texts/infrastructure-texts.ts'
import { type CreatedToken, type EnrolmentCommands, isInsecure, type Platform, platforms } from './commands.ts'

type AgentCommandsProps = { values: EnrolmentCommands; installs: CreatedToken['installs'] }

/** The commands that add a computer, for its platform, and what each of them does. */
export function AgentCommands({ values, installs }: AgentCommandsProps) {
  const { commands } = useInfrastructureTexts()
  const [platform, setPlatform] = useState<Platform>('linux')
  const isLeftOut = (platform === 'linux' || platform === 'windows') && !installs[platform]
  const hint = isLeftOut ? commands.hintsWithoutPackage[platform] : commands.hints[platform]
  return (
    <Stack gap="sm">
      <NativeSelect
        label={commands.platform}
        data={platforms.map((value) => ({ value, label: commands.platforms[value] }))}
        value={platform}
        onChange={(event) => setPlatform(event.currentTarget.value as Platform)}
        maw={420}
      />
      <Text size="sm">{hint}</Text>
      <CopyBlock label={commands.run} value={values[platform]} />
      {isInsecure(location) && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {commands.insecure}
        </Alert>
      )}
    </Stack>
  )
}

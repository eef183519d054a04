import { Button } from '@mantine/core'
import { useVulnerabilityTexts } from '../texts/vulnerability-texts.ts'
import { IconDownload } from './icons.ts'

/** Downloads the bill of materials of a computer, a group or the fleet. */
export function SbomButton({ address }: { address: string }) {
  const texts = useVulnerabilityTexts()
  return (
    <Button
      component="a"
      href={address}
      download
      variant="default"
      size="compact-sm"
      fw={500}
      leftSection={<IconDownload size={14} aria-hidden />}
    >
      {texts.sbom}
    </Button>
  )
}

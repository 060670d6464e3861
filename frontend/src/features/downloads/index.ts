export { DownloadsOff, useDownloadsOff } from "./DownloadsOff";
export { DownloadJob } from "./DownloadJob";
export { StoppedDownload } from "./StoppedDownload";
export { clearCancelled, useCancelDownload, useCancelled } from "./useCancelDownload";
export { useDownloadState } from "./useDownloadState";
export { useDownloadWait, type Wait } from "./useDownloadWait";
export { useDownloadPace, useOfSizes, wholeSize } from "./words";

/** How a model runs on a device: the names of others for what uses graphics cards. */
const names: Readonly<Record<string, string>> = {
  cpu: "CPU",
  cuda: "CUDA",
  directml: "DirectML",
  coreml: "Core ML",
  metal: "Metal",
  vulkan: "Vulkan",
};

/** Splits a device of the API, such as cuda:1, into its kind and its number, 0 for the first one. */
export function deviceParts(device: string): { kind: string; number: number } {
  const [kind = "", number = "0"] = device.split(":");
  return { kind, number: Number(number) };
}

/** Returns the name of a device, such as CUDA or CUDA:1; one that is not known as it is. */
export function deviceName(device: string): string {
  const { kind, number } = deviceParts(device);
  const name = names[kind];
  return name ? name + (number > 0 ? `:${String(number)}` : "") : device;
}

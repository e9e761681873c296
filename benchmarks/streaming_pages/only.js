// So that a viewer takes this codec, whatever it likes best.
(() => {
  const known = RTCRtpReceiver.getCapabilities.bind(RTCRtpReceiver);
  RTCRtpReceiver.getCapabilities = (kind) => {
    const found = known(kind);
    return { ...found, codecs: found.codecs.filter(({ mimeType }) => kind !== "video" || mimeType.toLowerCase() === "video/CODEC") };
  };
})()

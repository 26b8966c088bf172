/* How windows lie on images. Numbers are ordered by channel, then by row, then by column. */
struct NAME_window {
    int channels, height, width;             /* of the input                               */
    int out_channels, out_height, out_width; /* of the output                              */
    int kernel_height, kernel_width;         /* of a window                                */
    int stride_height, stride_width;         /* from one window to the next                */
    int padding_height, padding_width;       /* of the first window, outside of the image  */
    int dilation_height, dilation_width;     /* from one tap of a window to the next       */
};
